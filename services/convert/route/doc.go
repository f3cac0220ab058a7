// Package route finds the plan that trades one token for another at the best price over a graph of pools, and computes
// a proven bound of its quality.
//
// It is pure arithmetic, without chains, addresses or clocks.
//
//   - A [Model] is one pool at one state, bit-equal to its contract in 256-bit integers: its outputs equal those of the
//     contract.
//   - A [Graph] holds tokens and pools. It is immutable; [Graph.With] returns a graph with newer states of its pools.
//   - [Graph.Search] searches with float64 curves and returns integers: each candidate is replayed through the models,
//     path after path as a router executes it, and the candidate with the largest output after gas is returned.
//   - [Plan.Bound] is a certificate by weak duality: no split of the amount over paths through the whole graph has a
//     larger output. It covers paths, not every trade that the graph allows, because every graph has cycles of stale
//     pools that have a profit by themselves.
//
// The search is the dual decomposition of Diamandis, Resnick, Chitra and Angeris (arXiv 2302.04938): at given token
// prices each pool is solved independently, so convex optimisation over prices replaces a search over routes.
package route
