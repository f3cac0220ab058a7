/** A CAIP-2 namespace. */
export type Namespace = 'eip155' | 'solana' | 'bip122' | 'polkadot'

/** CAIP-2 identifier, such as `eip155:1`. */
export type CaipNetworkId = `${Namespace}:${string}`

/** CAIP-10 identifier, such as `eip155:1:0xf39Fd6…b92266`. */
export type CaipAddress = `${Namespace}:${string}:${string}`

/** The token that pays for fees. */
export interface NativeCurrency {
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}

/** A site that shows blocks and transactions. */
export interface BlockExplorer {
  readonly name: string
  readonly url: string
}

/** A network as the page, wallets and the gateway know it; see `defineNetwork`. */
export interface Network {
  /** The reference part of the CAIP-2 id: a number for EVM chains. */
  readonly id: number | string
  readonly name: string
  /** Short machine name, such as `ethereum`. */
  readonly network: string
  readonly nativeCurrency: NativeCurrency
  readonly rpcUrls: { readonly default: { readonly http: readonly string[] } }
  readonly blockExplorers?: { readonly default: BlockExplorer }
  readonly testnet: boolean
  readonly chainNamespace: Namespace
  readonly caipNetworkId: CaipNetworkId
  /** Image of the network; the page draws a letter when absent. */
  readonly imageUrl?: string
  /** Contracts by their names in viem, such as `multicall3`, for libraries beside Hawser. */
  readonly contracts?: Readonly<Record<string, unknown>>
}

/** Name of a network that the site does not list. */
export const UNKNOWN_NETWORK_NAME = 'Unknown Network'
