// Package indexer keeps the index of activity: it follows the blocks of chains with tracked accounts, and reads their older blocks in
// windows, each from its newest block down. Callers take turns.
//
// Each block or window is one transaction with its rows, its events and what is left to read, so the process may stop at any moment. Replicas
// share a lock for each chain.
//
// It follows the chain itself, beside chains/heads and convert/pools. A history needs every block since an account was first asked about, also those that came while no
// process ran, with all transactions and receipts, and with traces where nodes have them; the others read logs alone. What it knows is in the database, where the
// rows of a block and the progress are one transaction, so it can find the fork of a reorg of any depth, after a restart too: 64 blocks in memory would not do.
// It may be late by a round of two seconds, or of twenty for a slow chain, for which the others could not wait. One replica follows a chain, under a lock; of
// the other two each process has its own.
package indexer
