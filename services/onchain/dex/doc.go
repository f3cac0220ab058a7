// Package dex holds the exchanges of each chain: the routers, the factories whose pools each router can trade, and the hubs, which most other tokens are
// traded against. They come from a built-in table, the configuration, or the network records of local chains.
//
// Swaps read all of it, see [Table]. Prices read the factories and those hubs that have a price feed, see [BuiltInPricing].
package dex
