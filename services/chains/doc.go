// Package chains knows the networks and the nodes that answer for them.
//
// It answers supported-chains and the network table, and it is the one way to a node: the gateway's JSON-RPC door and every other
// service go through Forward, so RPC keys and retries live in one place. It tells [chainsv1.Head] for every chain in use.
//
// Promise: a body reaches one healthy node of its chain, or another when that one fails, within the caller's deadline; an answer is
// passed on untouched; what every node of a chain would say alike (its id) is answered here. Limits: a body of 2 MiB, a batch of 100,
// an answer of 10 MiB, 10 seconds a node, 5 nodes a call.
package chains
