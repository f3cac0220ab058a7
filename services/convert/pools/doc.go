// Package pools keeps the liquidity pools of a chain in memory, at its newest block.
//
// A [Keeper] finds the pools between each token of a request and each hub, between hubs, and between the tokens of a request, at all factories of the chain's
// venues; routers and factories are first checked against the table of venues. It reads the state of pools in one eth_call, by a small program that
// nodes execute, and then applies the logs of each block: one eth_getLogs a block for all pools of the chain. A reorganisation is undone block by block.
// Where the state is stale, after a gap that is too wide, a log that does not fit or a price outside the known ticks, those pools are read
// again. Some pools are compared with the chain every minute, in case a node withheld logs.
//
// A pool of Algebra V1 computes its fee in the first swap of a block. At every head, a swap that is started and reverted shows the fee of the next block; on
// nodes that do not execute programs these pools are left out.
//
// A [View] is the graph of pools of one chain at one block. All its reads are of that block; it says which block that is, and when a node last named it
// as the newest. A snapshot on disk makes a restart fast.
package pools
