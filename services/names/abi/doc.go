// Package abi encodes and decodes arguments and results of contracts of the Ethereum Name Service in Solidity's ABI. Its input is untrusted, so
// every offset and length is checked, and [Values] refers to the input in place of copying it: go-ethereum's accounts/abi copies each item, so
// that a list of a thousand offsets to one item of 1 MB would become a gigabyte. Calls whose arguments are trusted use evm/calldata.
package abi
