// Package dex holds the venues of each chain: the routers, the factories whose pools each router can trade, and the hubs, which most other tokens are
// traded against. They come from a built-in table, the configuration, or the network records of local chains.
package dex
