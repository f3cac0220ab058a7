// Package vendors asks those who sell routes for swaps, as an option beside the chain itself: nobody is asked that the operator did not name.
//
// A [Source] quotes a swap and builds its transaction. Each vendor's own folder only translates between [Ask] and the vendor's documented
// wire format; [Open] puts a guard around every one of them, so that none can forget it: a transaction goes only to contracts that are pinned
// here or by the operator, with exactly the value of the swap, for no less than was quoted and the slippage that was asked for. Its
// call data are read: they must name the tokens, the amount, the sender as who is paid, and that least, to a router that holds its executor to
// them. Whoever gives the transaction out tries it before, and refuses one that is [Transaction.Unbounded] and could not be tried.
//
// Who swaps is told to a vendor only when a transaction is built, never with a quote.
//
// A [Panel] asks all of them at once with a deadline. A vendor that fails is left out, and rests after a few failures in a row, or one
// transaction that was unsafe.
package vendors
