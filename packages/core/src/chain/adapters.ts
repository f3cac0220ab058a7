import { thrown } from '../errors/catalogue.ts'
import { createEvmAdapter } from '../evm/evmAdapter.ts'
import type { ChainAdapter, NodeRequest } from '../types/adapter.ts'
import type { Clock } from '../types/environment.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace, Network } from '../types/network.ts'

/** What speaks to the wallets of each namespace. */
export function createAdapters(clock: Clock): ReadonlyMap<Namespace, ChainAdapter> {
  const evm = createEvmAdapter(clock)
  return new Map([[evm.namespace, evm]])
}

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
