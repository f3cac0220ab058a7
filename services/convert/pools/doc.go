// Package pools knows the pools of a chain and what each holds, as of one block.
//
// A [Keeper] finds the pools that matter, each pair of an asked token and a hub, of two hubs and of two asked tokens, at all factories of the
// chain's venues, once routers and factories have proved to be what the table of venues says. It reads what pools hold in one call, by a small
// program that nodes run, and from then on follows them by the logs of each block: one eth_getLogs a block, for all pools of the chain.
// What a reorganisation takes back is undone block by block. Where following is in doubt, after a gap that is too wide, a log that does not fit
// or a price that left the known ticks, the pools in question are read again; and some are asked every minute whether the logs told all.
//
// A pool of Algebra V1 reckons its fee anew in the first swap of a block. At every head such pools are asked, by a swap that is begun and let fail,
// what a swap in the next block would pay; of nodes that do not run programs no fee is known, and these pools are left out.
//
// A [View] is the answer: the graph of one chain at one block. Every reading is of that block, so that a view is never a mixture; it says which
// block it is of and when a node last said that this is the newest. A snapshot on disk makes a restart warm.
package pools
