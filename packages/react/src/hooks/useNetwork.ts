import {
  type CaipNetworkId,
  isActiveNetworkRequested,
  type Network,
  selectNetwork,
  selectRequestedNetworks,
} from '@hawser/core'
import type { NamespaceOptions } from './useAccount.ts'
import { useHawser } from './useHawser.ts'
import { useHawserState } from './useHawserState.ts'

/** What `useNetwork` returns. */
export interface ActiveNetwork {
  network: Network | undefined
  /** A number on EVM chains. */
  chainId: number | string | undefined
  /** CAIP-2. */
  caipNetworkId: CaipNetworkId | undefined
  /** The networks of the site in the namespace. */
  networks: readonly Network[]
  /** False when the wallet of the active namespace is on a network that the site does not list. */
  isSupported: boolean
}

/** Returns the active network of a namespace, and the site's networks in that namespace. */
export function useNetwork({ namespace }: NamespaceOptions = {}): ActiveNetwork {
  const hawser = useHawser()
  const network = useHawserState(hawser.chain, (state) => selectNetwork(state, namespace))
  const networks = useHawserState(hawser.chain, (state) => selectRequestedNetworks(state, namespace))
  const isSupported = useHawserState(hawser.chain, isActiveNetworkRequested)
  return { network, chainId: network?.id, caipNetworkId: network?.caipNetworkId, networks, isSupported }
}
