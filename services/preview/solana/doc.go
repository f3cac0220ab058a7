// Package solana previews transactions of Solana.
//
// A transaction is simulated on the chain's nodes, and the accounts that it may write are read before and after it. The
// changes of the account's balances, and of the rights of others to them, are computed from the difference. If the
// nodes cannot simulate, or the transaction fails, the instructions of well-known programs are decoded.
package solana
