// Package bitcoin reads accounts of Bitcoin networks, and sends their transactions, through servers that speak the HTTP API of Esplora.
//
//   - The operator names the servers of each network (`chains.nodes`). A server is used once its genesis block is the one in the CAIP-2 id.
//   - A server that fails is used again after half a minute; until then the next one answers. Every request has a deadline and a bound.
//   - Answers are kept for two seconds, and dropped when a transaction is sent. Callers that want the same share one request.
//   - A transaction is sent through one server. No other is tried once one may have received it.
//   - Fee rates of servers are bounded, so that none can make an account pay without a limit.
//
// The service holds no keys and stores nothing.
package bitcoin
