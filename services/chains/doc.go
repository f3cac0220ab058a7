// Package chains serves the network table, and is the only package that sends requests to nodes: the gateway's JSON-RPC
// endpoint and every other service call Forward, so keys of nodes and retries are in one place. It publishes a
// [chainsv1.Head] for each new block of each chain in use.
//
// A network is served if it has a node. Without [Config].PublicNodes only the nodes that the operator named are used;
// the built-in table lists public nodes of third parties.
//
// Availability: a request is answered within the caller's deadline as long as one node of its chain works. See package
// pool for how nodes are selected, hedged and retried, and package proxy for what reaches them.
//
// Trust: if a chain has two nodes or more, its height is one that two of them have reported, and a final result is
// cached, for ten minutes, only after two of them have returned it. A caller may require that two nodes give the same
// response (ForwardRequest.agreed). Any other response is that of one node. A chain's only node is trusted, which is
// logged at the start.
//
// Config.Cache keeps final results in a database as well, from their second read on: package finalcache. It is off by default.
//
// Subscribe sends blocks and logs in order and without gaps, with the logs of reorged blocks as removed first. See
// package heads.
//
// Limits: the methods that package rpc lists; a body of 2 MiB, a batch of 100, a response of 10 MiB, 10 seconds a node,
// logs of 200,000 blocks in parts of 10,000, 32 MiB of cached results, 1,024 messages queued for a subscriber, and a
// reorg of 64 blocks.
package chains
