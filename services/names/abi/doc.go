// Package abi encodes and decodes arguments and results of contracts of the Ethereum Name Service in Solidity's ABI. Its input is untrusted, so
// every offset and length is checked.
package abi
