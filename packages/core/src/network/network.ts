import type { Network } from '../types/network.ts'
import { type CaipNetworkId, type Namespace, UNKNOWN_NETWORK_NAME } from '../types/network.ts'

/** A network as a site describes it: a chain of viem is one. */
export interface NetworkDefinition {
  /** EVM chain id, or the reference part of the CAIP-2 id elsewhere. */
  readonly id: number | string
  readonly name: string
  readonly network?: string
  readonly chainNamespace?: Namespace
  readonly nativeCurrency: Network['nativeCurrency']
  readonly rpcUrls?: Network['rpcUrls']
  readonly blockExplorers?: Network['blockExplorers'] | undefined
  readonly testnet?: boolean | undefined
  readonly imageUrl?: string
  readonly contracts?: Network['contracts'] | undefined
}

/** Defines a network; viem's chain objects are accepted as they are. */
export function defineNetwork(definition: NetworkDefinition): Network {
  const {
    id,
    name,
    chainNamespace = 'eip155',
    nativeCurrency,
    blockExplorers,
    imageUrl,
    contracts,
  } = definition
  return {
    id,
    name,
    chainNamespace,
    nativeCurrency,
    caipNetworkId: `${chainNamespace}:${id}`,
    network: definition.network ?? name.toLowerCase().replace(/\s+/g, '-'),
    testnet: definition.testnet ?? false,
    rpcUrls: definition.rpcUrls ?? { default: { http: [] } },
    ...(blockExplorers && { blockExplorers }),
    ...(imageUrl && { imageUrl }),
    ...(contracts && { contracts }),
  }
}

/** Returns a placeholder for a chain that the site does not list. */
export function unknownNetwork(caipNetworkId: CaipNetworkId): Network {
  const [namespace, reference = ''] = caipNetworkId.split(':') as [Namespace, string]
  return defineNetwork({
    id: namespace === 'eip155' ? Number(reference) : reference,
    name: UNKNOWN_NETWORK_NAME,
    chainNamespace: namespace,
    nativeCurrency: { name: '', symbol: '', decimals: 18 },
  })
}

/** Returns the page of an address on the network's explorer, if it has one. */
export function addressExplorerUrl(network: Network | undefined, address: string): string | undefined {
  const url = network?.blockExplorers?.default.url
  return url && `${url.replace(/\/+$/, '')}/address/${address}`
}

/** Returns the page of a transaction on the network's explorer, if it has one. */
export function transactionExplorerUrl(network: Network | undefined, hash: string): string | undefined {
  const url = network?.blockExplorers?.default.url
  return url && `${url.replace(/\/+$/, '')}/tx/${hash}`
}
