// Package execution turns a plan of package route into calls of routers, and simulates them.
//
// [Build] encodes the calls: one multicall for SwapRouter02, SwapRouter and the router of Algebra V1, which checks the
// minimum once for the whole plan; one list of commands for the UniversalRouter, which takes sold tokens through
// Permit2; one call per path for v2 routers. Approvals are for the exact amount. A [Simulator] makes the calls in one
// eth_call at the plan's block and measures what the recipient is paid. [GasPrices] returns gas prices, and the fee
// that a rollup charges for data.
package execution
