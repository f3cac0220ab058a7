// Package route finds the plan that trades one token for another at the best price over a graph of pools, and proves how good it is.
//
// It is pure arithmetic: it knows no chain, no address and no clock.
//
//   - A [Model] is one pool at one state, bit-equal to its contract in 256-bit integers: what it says is paid is what the chain pays.
//   - A [Graph] is the graph of tokens and pools. It is immutable; [Graph.With] gives the same pools in newer states.
//   - [Graph.Search] looks for plans with float64 curves and answers with integers: every candidate is replayed through the models, path
//     after path as a router executes it, and the best by what is left after gas is the answer.
//   - [Plan.Bound] is a certificate by weak duality: no spread of the amount over paths through the whole graph pays more. It is about paths, not
//     about every trade that the graph allows, because any graph holds circles of stale pools that pay by themselves.
//
// The search is the dual decomposition of Diamandis, Resnick, Chitra and Angeris (arXiv 2302.04938): at given token prices every pool answers
// alone, so that convex optimisation over prices takes the place of a search over routes.
package route
