// Package evm reads many contracts of an EVM chain in one round trip, without any contract of ours deployed there.
//
// A [Reader] is given [Query] values, each one call asked of many contracts, and returns one [Answer] a contract. Four forms can
// carry a reading, best first: a small program run by state override, the same program run as init code, Multicall3, and a
// JSON-RPC batch. The first that a chain's nodes understand is remembered. All four give the same answers; a contract that
// reverts, burns its gas or returns nothing spoils its own answer only.
package evm
