// Package vendors asks those who sell routes for swaps, as an option beside the chain itself: nobody is asked that the operator did not name.
//
// A [Source] quotes a swap and builds its transaction. Each vendor's own folder only translates between [Ask] and the vendor's documented
// wire format; [Open] puts a guard around every one of them, so that none can forget it: a transaction goes only to contracts that are pinned
// here or by the operator, with exactly the value of the swap, for no less than was quoted and the slippage that was asked for. Where the
// bought tokens go is said by call data that only a simulation can check; whoever sends the transaction must run one.
//
// Who swaps is told to a vendor only when a transaction is built, never with a quote.
//
// A [Panel] asks all of them at once with a deadline. A vendor that fails is left out, and rests after a few failures in a row.
package vendors
