// Package bitcoin reads accounts of Bitcoin networks, and sends their transactions, through servers that speak the HTTP
// API of Esplora.
//
//   - The operator names the servers of each network (`chains.nodes`). A server is used once its genesis block is the
//     one in the CAIP-2 id.
//   - A server that fails is not used for half a minute; until then the next one is. Every request has a deadline and a
//     bound.
//   - Answers are cached for two seconds, and dropped when a transaction is sent. Concurrent equal calls share one
//     request.
//   - A transaction is sent through one server. Another one is tried only if the first cannot have received it.
//   - Fee rates of servers are bounded, so that a server cannot make an account pay an unlimited fee.
//
// The service holds no keys and stores nothing.
package bitcoin
