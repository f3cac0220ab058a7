// Package heads tracks the newest block of each chain in use, and sends new blocks and logs to subscribers.
//
// A subscriber gets each block once and in order, whichever node returned it and however many heads were missed, and no
// block is read twice for several subscribers. After a reorg the logs of the removed blocks come first, as removed. If
// that cannot be guaranteed, the subscription ends.
//
// It is one of three packages that follow a chain, and joins neither convert/pools nor activity/indexer. Subscribers want every block and any log of it, so it
// reads all logs of each block, in memory and only while somebody subscribes, and handles reorgs of up to 64 blocks; a gap of more than 256 blocks ends the subscription. A follower
// that needs its own state at the newest block, or every block since it was stopped, cannot be served by a stream that ends. What the three share is the head that
// this package publishes: the nodes of a chain are polled for it here, and the other two start a round when it comes.
package heads
