// Package updates sends changes of an account to the clients that watch it.
//
// It serves hawser.updates.v1.UpdatesService: WatchAccount, a server stream. It stores nothing: balances come from the
// balances service, and everything else from events.
//
//   - A watched account is read once per block, however many clients watch it, and every 45 seconds without one. If more than 8 accounts of an EVM chain
//     are watched, only those are read at a block whose native balance differs or which a log of a transfer names.
//   - A watcher has no queue: it receives the newest state, so a slow client uses no memory. A client that receives no
//     message for 30 seconds is disconnected.
//   - Events: hawser.chains.v1.Head (read the accounts of the chain again), hawser.activity.v1.ActivityChanged,
//     hawser.names.v1.NameRegistered and NameChanged, hawser.onramp.v1.OrderUpdated.
//   - A purchase is sent only to clients that hold its token ([caller.NewOrderToken]).
//   - Limits: a caller watches at most [Config.WatchesPerCaller] accounts at once, a process serves at most 20,000
//     watchers.
package updates
