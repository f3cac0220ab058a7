// Package transactions follows transactions that sites name, until they are final.
//
//   - What is told of a transaction is read from the chain. A site, or whoever has its project id, says only which one to follow.
//   - A transaction is told once its block is final: the node's finalized block is not before it. A node without one counts 64 blocks and the network's
//     final_after, from when the transaction was found in that block. On a development network every block is final.
//   - A reorg before that is not told: the transaction is found in its next block, or in none. What is in no block after a day is not followed any more.
//   - Transactions of a chain are read together, at its new blocks: those that are young at each, older ones in growing pauses, at most 200 at once, and of
//     each project alike. One that is in a block is not read again until that block is final.
//   - What is followed is bounded by project and in total ([Rules]).
package transactions
