// Package pool parses the pools of Solana's exchanges: Raydium's AMM v4, CPMM and CLMM, and Orca's Whirlpools.
//
// The addresses of CPMM, CLMM and Whirlpool pools are derived from their two tokens, so pools are found without an
// index. The addresses of AMM v4 pools are not, and must be configured.
package pool
