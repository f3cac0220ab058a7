// Package convert swaps one token for another on the same chain.
//
// It answers hawser.convert.v1.ConvertService (`/v1/convert/…`) and QuoteService, which pushes quotes as blocks come. Nothing but the chain's
// own nodes is asked, through the chains service, unless the operator names vendors.
//
//   - The pools of a chain are kept in memory at the newest block (package pools); a quote is found and proven there (package route).
//   - Before a quote is given out, its very transaction is simulated at the same block, with the balance and allowance that it needs
//     (package execution). A quote that could not be simulated says so; one that pays less than found is never given out as found.
//   - Vendors, where there are any, are asked beside the chain with a deadline (package vendors). The best answer net of gas wins and says whose
//     it is; a vendor that fails is left out.
//   - A quote's id names its source and router, so that approval and transaction speak of the same spender. Nothing is remembered between
//     calls: whichever replica builds the transaction finds the swap anew, at the newest block.
//   - Amounts are integers of base units. Prices, shares and distances are for display.
//   - Only eip155 is swapped by now.
package convert
