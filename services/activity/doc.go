// Package activity serves the history of an account: on EVM chains from an index in SQL, on Solana from nodes, see
// package solana.
//
// An EVM account is tracked after its first request. From then on each new block of its chain is read whole, which
// finds native transfers and failed transactions as well as logs; a reorg deletes the rows of the orphaned blocks.
// Older blocks are read in the background, newest first: whole on a short chain, and by their logs, which miss native
// transfers, on a long one. Native transfers inside contracts are found only on chains that log them (EIP-7708), also in blocks
// that are read by their logs. Coverage says how far each kind reaches.
// An archive ([Config].Archives) lists the old transactions of a long chain; their content is read from nodes.
//
// Purchases from on-ramps are not in the index. They are read from the service that keeps the orders.
package activity
