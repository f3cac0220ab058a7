// Package solana reads the history of an account of Solana from nodes.
//
// Nodes index transactions by the accounts that they name. A transfer of a token to an owner names the owner's token account and not the owner, so
// that the history is the union of the signatures of the owner and of its open token accounts, up to 31 of them, listed tokens first. What came
// to accounts that are closed since is known only as far as the owner was named. A page is read in one batch of signatures and one of transactions,
// of which final ones are cached.
//
// What a transaction moved follows from the balances before and after it, to the last unit; its instructions are read only for what leaves no
// trace in balances: approvals, and what a failed transaction was meant to do.
package solana
