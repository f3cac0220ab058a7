// Package abi encodes and decodes arguments and results of contracts of the Ethereum Name Service in Solidity's ABI.
// Its input is untrusted, so every offset and length is checked. [Values] refers to the input instead of copying it:
// go-ethereum's accounts/abi copies each item, so a list of a thousand offsets to one item of 1 MB would use a
// gigabyte. For calls whose arguments are trusted use evm/calldata.
package abi
