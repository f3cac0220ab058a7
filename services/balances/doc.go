// Package balances reads what accounts hold and what it is worth.
//
// It serves hawser.balances.v1.BalancesService: GetBalance (`GET /v1/account/{address}/balance`), GetPortfolio
// (`GET /v1/account/{address}/portfolio`) and ListPrices (`POST /v1/fungible/price`); and AccountService for other services of the suite.
// It reads from the chain's nodes through the chains service; there is no indexer and no store.
//
//   - One chain costs one round trip: native balance, every listed token and the price feeds are read in one call (package evm).
//   - Amounts are integers of base units from the node to the decimal text on the wire. A balance that cannot be read is left out or
//     fails the call; it is never guessed and never zero by default.
//   - The tokens that are read are those of the built-in lists, of the operator's configuration and of the local chains (package tokens),
//     and those outside the lists that the account has received (hawser.activity.v1.HoldingsService); all are read in the same call. A token
//     that imitates another, or that cannot be sold, is listed last with the reason.
//   - Prices are for display only. They come from the operator's configuration, from feeds on chain, and for other tokens from pools that are
//     deep enough to sell into (package prices). Each has a source and an age. An unknown price is 0 and its value is absent.
//   - Holdings are cached for ten seconds, or until the chain has a new block. Events: it subscribes to hawser.chains.v1.Head, and publishes
//     hawser.balances.v1.BalanceChanged when a watched account's amounts differ from the reading before.
//   - On Solana an account is read with one request for each token program (packages solana and svm); prices come from the configuration, from
//     price accounts of Pyth, and from pools of Raydium and Orca (package solprices). Other namespaces are refused.
package balances
