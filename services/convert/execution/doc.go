// Package execution turns a plan of package route into calls of routers, and simulates them.
//
// [Build] writes the calls: of SwapRouter02, SwapRouter and the router of Algebra V1 one multicall, which checks the minimum once for the whole plan; of the
// UniversalRouter one list of commands, which takes sold tokens through Permit2; of v2 routers one call a path. Approvals are of the exact amount. A [Simulator]
// makes the calls in one eth_call at the plan's block and measures what the recipient is paid. [GasPrices] returns gas prices, and the fee that a rollup
// charges for data.
package execution
