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
//
// It follows the chain itself, beside chains/heads and activity/indexer. A quote needs the state of its pools at the newest block, and no block before: after a gap the
// pools are read again, which is one eth_call, where a stream would deliver each block that was missed. It reads the logs of its pools alone, of up to 64 blocks
// in one round trip, with the head that they lead to; chains/heads reads all logs of every block, and sends them when they have come. To undo a block it
// keeps what each pool was before, not the logs that were removed, because a pool's state does not follow from a removed log.
package pools
