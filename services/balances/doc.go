// Package balances tells what an account holds and what it is worth.
//
// It answers hawser.balances.v1.BalancesService: GetBalance (`GET /v1/account/{address}/balance`), GetPortfolio
// (`GET /v1/account/{address}/portfolio`) and ListPrices (`POST /v1/fungible/price`); and WatchService, which pushes. Nothing but the chain's own nodes is asked, through the chains service; there is no indexer and no store.
//
//   - One chain costs one round trip: native balance, every listed token and the price feeds ride in one call (package evm).
//   - Amounts are integers of base units from the node to the decimal text on the wire. A balance that cannot be read is left out or
//     fails the call; it is never guessed and never zero by default.
//   - Tokens looked for are those of the built-in lists, the operator's configuration and the local chains (package tokens).
//   - Tokens outside the lists are those that the history knows (hawser.activity.v1.HoldingsService); they ride in the same call. One that
//     deceives, or that nothing is paid for, is listed last and says why.
//   - Prices come from the operator's configuration, from feeds on chain, and for tokens without one from pools deep enough to sell into
//     (package prices), for display only. Each says which and how old it is; one that is not known is 0 and its value is absent.
//   - Holdings are kept for ten seconds, or until the chain has a new block: whoever hosts the service tells it by [Server.OnHead].
//   - A watched account is read once a block, however many watch it; a watcher gets the newest state, not every one. What happened to it
//     is told by [Server.OnHead], [Server.OnActivity], [Server.OnIdentity] and [Server.OnOrder].
//   - Only eip155 is read by now.
package balances
