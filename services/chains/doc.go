// Package chains knows the networks and the nodes that answer for them.
//
// It answers supported-chains and the network table, and it is the one way to a node: the gateway's JSON-RPC door and every other
// service go through Forward, so RPC keys and retries live in one place. It tells [chainsv1.Head] for every chain in use.
//
// A network is served where it has a node, and no node is asked that the operator did not name: those of the built-in table are public ones
// of third parties, and [Config].PublicNodes is set to use them.
//
// Promise: a body is answered as long as one node of its chain is well, within the caller's deadline. A node gets requests written anew
// from what was read, never the caller's bytes; notifications reach none. No node is asked before it has told its chain and its head. One
// that fails rests and comes back by a single trial; one that is silent for longer than it usually takes is joined by the next, and the
// first answer wins; one that is behind is not asked for the newest block, and the block number never goes back. Every node is tried before
// a caller is refused; a caller's own mistakes make none rest. What equal callers ask at one moment is asked once, and tries of nodes that
// are down are a tenth of the requests.
//
// Trust: where a chain has two nodes or more, its height is one that two of them show, what is kept is what two of them said of that
// very transaction or block (for ten minutes, once it is final), and a caller may ask for an answer that two of them gave (ForwardRequest.agreed).
// Any other read is one node's own words. A signed transaction that a node knows already is no error once a node shows it. A chain's
// only node is believed, and the log says so at start.
//
// Subscribe tells blocks and logs: each block is read once for all who listen, and told once and in order, whichever node showed it and
// however many heads were missed; what a reorganisation undid is taken back first. When that cannot be kept, the subscription ends.
//
// Limits: the methods of [methods]; a body of 2 MiB, a batch of 100, an answer of 10 MiB, 10 seconds a node, logs of 200,000 blocks in
// parts of 10,000, 32 MiB of final results; a listener may be 1,024 messages behind, and a reorganisation 64 blocks deep.
package chains
