// Package route finds the plan that trades one token for another at the best price over a graph of pools, and proves how good it is.
//
// It is pure arithmetic, without chains, addresses or clocks.
//
//   - A [Model] is one pool at one state, bit-equal to its contract in 256-bit integers: its outputs are those of the chain.
//   - A [Graph] holds tokens and pools. It is immutable; [Graph.With] returns a graph with newer states of its pools.
//   - [Graph.Search] searches with float64 curves and answers in integers: each candidate is replayed through the models, path after path as a
//     router executes it, and the one with the best output after gas is returned.
//   - [Plan.Bound] is a certificate by weak duality: no split of the amount over paths through the whole graph pays more. It covers paths, not every
//     trade that the graph allows, because any graph has cycles of stale pools with a profit of their own.
//
// The search is the dual decomposition of Diamandis, Resnick, Chitra and Angeris (arXiv 2302.04938): at given token prices every pool answers
// alone, so that convex optimisation over prices takes the place of a search over routes.
package route
