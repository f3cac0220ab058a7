// Package solana previews transactions of Solana.
//
// A transaction is simulated on the chain's nodes, and the accounts that it may write are read before and after it. What leaves and reaches the
// account, and who has a right to what it holds afterwards, is the difference between the two. Where the nodes cannot simulate, or the transaction
// fails, the instructions of well-known programs are decoded.
package solana
