// Package chainclient is the one way from a service to a chain.
//
// A [Client] reads the network table of the chains service and keeps it for a while, and gives a [Transport] for each chain. A Transport
// sends one JSON-RPC 2.0 body; [Transport.Call] and [Transport.Batch] encode calls and check that the answers belong to them. Nodes, their keys,
// retries and health are the chains service's business.
package chainclient
