// Package solana reads the history of an account of Solana from nodes.
//
// Nodes index transactions by the accounts that they name. A transfer of a token to an owner names the owner's token
// account and not the owner, so the history is the union of the signatures of the owner and of its open token accounts,
// up to 31 of them, listed tokens first. Transfers to accounts that have since been closed are found only if the
// transaction names the owner. A page is read in one batch of signatures and one of transactions, and final
// transactions are cached.
//
// The transfers of a transaction are computed from the balances before and after it, exactly. Its instructions are read
// only for what balances do not show: approvals, and the purpose of a failed transaction.
package solana
