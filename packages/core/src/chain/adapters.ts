import { thrown } from '../errors/thrown.ts'
import { createEvmAdapter } from '../evm/evmAdapter.ts'
import type { ChainAdapter } from '../types/adapter.ts'
import type { NodeRequest } from '../types/environment.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace, Network } from '../types/network.ts'

/**
 * Returns the adapter for the wallets of a namespace; undefined if there is none. It is created at first use, so that
 * the code of adapters is not in the page's first load.
 */
export function findAdapter({ adapters, clock }: Hawser, namespace: Namespace): ChainAdapter | undefined {
  if (namespace === 'eip155' && !adapters.has(namespace)) adapters.set(namespace, createEvmAdapter(clock))
  return adapters.get(namespace)
}

/** @throws Error "Chain adapter not found". */
export function adapterOf(hawser: Hawser, namespace: Namespace): ChainAdapter {
  const adapter = findAdapter(hawser, namespace)
  if (!adapter) throw new Error(thrown.chainAdapterNotFound)
  return adapter
}

/** Returns a function that calls the node of a network through the gateway's JSON-RPC endpoint. */
export function nodeOf(hawser: Hawser, network: Pick<Network, 'caipNetworkId'>): NodeRequest {
  return (method, params, signal) => hawser.client.rpc(network.caipNetworkId, method, params, signal)
}
