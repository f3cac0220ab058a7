// Package convert is the service that swaps one token for another on the same chain.
//
// It implements hawser.convert.v1.ConvertService (`/v1/convert/…`), and QuoteService, which streams a quote as blocks change it. It needs the chain's own
// nodes only, through the chains service, unless the operator configures vendors.
//
//   - Package pools keeps the pools of a chain in memory at its newest block; package route finds the best plan through them and bounds how far from the
//     best possible it is; package execution builds the routers' calls and simulates them; package engine puts these together.
//   - A quote of the chain's pools is simulated at its block before it is returned, with the balance and the allowance that it needs. A quote that could not be
//     simulated is marked as unconfirmed; one whose simulation pays less than the plan is not returned.
//   - Quotes of vendors are requested at the same time, with a deadline (package vendors). The best offer net of gas wins and names its source; a vendor that fails is left
//     out.
//   - A quote's id names its source and router, so that approval and transaction have the same spender. The service keeps no state between calls: any replica
//     builds the transaction by repeating the search at the newest block.
//   - Amounts are integers in base units. Prices, shares and bounds are for display.
//   - Only eip155 chains are supported.
package convert
