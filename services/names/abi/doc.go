// Package abi reads and spells what contracts of the Ethereum Name Service are given and return, as the ABI of Solidity lays it out. What it
// reads comes from strangers: nothing reaches past what there is.
package abi
