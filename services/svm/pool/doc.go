// Package pool parses the pools of Solana's exchanges: Raydium's AMM v4, CPMM and CLMM, and Orca's Whirlpools.
//
// The addresses of CPMM, CLMM and Whirlpool pools follow from their two tokens, so pools are found without an index. Those of AMM v4 do not, and
// have to be known.
package pool
