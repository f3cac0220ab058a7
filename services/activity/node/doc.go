// Package node reads blocks, logs and receipts of an EVM chain over JSON-RPC, many in one round trip.
//
// What a node says is checked before it is used: blocks must be linked by their parents' hashes, logs are asked by the hash of their
// block wherever it is known, and a receipt must be of the block that it was looked for in.
package node
