import { thrown } from '../errors/catalogue.ts'
import type { ChainAdapter, NodeRequest } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace, Network } from '../types/network.ts'

/** @throws Error "Chain adapter not found". */
export function adapterOf(hawser: Hawser, namespace: Namespace): ChainAdapter {
  const adapter = hawser.adapters.get(namespace)
  if (!adapter) throw new Error(thrown.chainAdapterNotFound)
  return adapter
}

/** Asks the node of a network through the gateway's JSON-RPC door. */
export function nodeOf(hawser: Hawser, network: Pick<Network, 'caipNetworkId'>): NodeRequest {
  return (method, params, signal) => hawser.client.rpc(network.caipNetworkId, method, params, signal)
}
