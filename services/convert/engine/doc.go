// Package engine quotes swaps and builds their transactions.
//
// [Engine.Quote] searches the pools of a chain (package route) and requests quotes from the operator's vendors (package vendors) at the same time, and
// returns the one that leaves most after gas. A swap through the chain's own pools is simulated at the block of its quote (package execution) before it
// is returned. [Engine.Build] repeats the search at the newest block for the source that a quote's id names, so that no state is kept between
// calls.
//
// Amounts are integers in base units of their token; amounts of the native currency and of gas prices are in wei.
package engine
