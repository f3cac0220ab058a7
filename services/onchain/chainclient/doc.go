// Package chainclient connects services to chains, through the chains service.
//
// A [Client] caches the network table and returns a [Transport] for each chain. A Transport sends one JSON-RPC 2.0 body; [Transport.Call] and
// [Transport.Batch] encode calls and check that the responses belong to them. Selecting nodes, their keys, retries and health checks are the
// work of the chains service.
package chainclient
