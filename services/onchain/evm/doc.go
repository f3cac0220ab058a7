// Package evm reads many contracts of an EVM chain in one round trip, without deploying a contract.
//
// A [Reader] takes [Query] values, each one call to many contracts, and returns one [Answer] per contract. There are
// four forms of request, the best first: a small program run by state override, the same program run as init code,
// Multicall3, and a JSON-RPC batch. The first form that a chain's nodes support is remembered. All four return the same
// answers. A contract that reverts, uses up its gas or returns nothing affects only its own answer.
package evm
