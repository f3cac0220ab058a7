// Package node reads blocks, logs and receipts of an EVM chain over JSON-RPC, many in one round trip.
//
// Responses are checked: blocks must be linked by the hashes of their parents, logs are read by the hash of their block if it is known, and
// a receipt must be from the expected block.
package node
