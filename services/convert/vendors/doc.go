// Package vendors requests quotes and transactions from swap aggregators that the operator has configured.
//
// A [Source] quotes a swap and builds its transaction. Each vendor's package only translates between [Request] and the vendor's documented API; [Open] wraps
// every one of them in a guard, which accepts a transaction only if it calls a contract that is pinned here or by the operator, sends exactly the value of the
// swap, and is bounded by the quote and the slippage of the request. The guard decodes the call data: they must contain the tokens, the amount, the sender as
// recipient, and the minimum output. The caller simulates each transaction, and must refuse one that is [Transaction.Unbounded] if the simulation is not
// possible.
//
// The sender is part of requests for transactions only, never of requests for quotes.
//
// A [Panel] requests quotes from all sources in parallel, with a deadline. A vendor that fails is left out, and paused after three failures in a row. One unsafe
// transaction pauses it for the tokens of that one.
//
// Vendors answer a number of requests in a second, which is divided among callers: each may use a part of it, a part is kept for callers that use little, and those
// that use more take turns. A request that a caller has no share for is not made, and does not count as the vendor's failure.
package vendors
