// Package execution turns a plan of the router into the calls that carry it out, and tries them before anyone sees them.
//
// [Build] writes the calls of the routers that wallets have trusted for years: SwapRouter02, SwapRouter and that of Algebra V1 with one multicall, which
// checks the minimum once over the whole plan, the UniversalRouter with a list of commands where the own currency is sold, and the plain v2 routers with
// one call a path. Approvals are exact. A [Simulator] makes the calls in one
// eth_call at the block that the plan was found at and counts what the recipient is paid; [GasPrices] tells what gas costs, and what a
// rollup asks for data.
package execution
