// Package chains knows the networks and the nodes that answer for them.
//
// It answers supported-chains and the network table, and it is the one way to a node: the gateway's JSON-RPC door and every other
// service go through Forward, so RPC keys and retries live in one place. It tells [chainsv1.Head] for every chain in use.
//
// Promise: a body is answered as long as one node of its chain is well, within the caller's deadline. No node is asked before it has told
// its chain and its head. One that fails rests and comes back by a single trial; one that is silent for longer than it usually takes is
// joined by the next, and the first answer wins; one that is behind is not asked for the newest block, and the block number never goes
// back. A read that comes back is a node's own words; a signed transaction that the chain has already is no error. What cannot change
// any more is kept, what equal callers ask at one moment is asked once, and tries beyond the first are a tenth of the requests.
//
// Subscribe tells blocks and logs: each block is read once for all who listen, and told once and in order, whichever node showed it and
// however many heads were missed; what a reorganisation undid is taken back first. When that cannot be kept, the subscription ends.
//
// Limits: the methods of [evmMethods]; a body of 2 MiB, a batch of 100, an answer of 10 MiB, 10 seconds a node, 5 nodes a call, logs of
// 200,000 blocks in parts of 10,000, 32 MiB of final results; a listener may be 1,024 messages behind, and a reorganisation 64 blocks deep.
package chains
