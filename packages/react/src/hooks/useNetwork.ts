import {
  type CaipNetworkId,
  isActiveNetworkRequested,
  type Network,
  selectNetwork,
  selectRequestedNetworks,
} from '@hawser/core'
import { useHawser } from './useHawser.ts'
import { useHawserState } from './useHawserState.ts'

export interface ActiveNetwork {
  network: Network | undefined
  /** A number on EVM chains. */
  chainId: number | string | undefined
  /** CAIP-2. */
  caipNetworkId: CaipNetworkId | undefined
  /** The networks of the site. */
  networks: readonly Network[]
  /** False when the wallet is on a network that the site does not list. */
  isSupported: boolean
}

/** The active network, and the networks of the site. */
export function useNetwork(): ActiveNetwork {
  const hawser = useHawser()
  const network = useHawserState(hawser.chain, (state) => selectNetwork(state))
  const networks = useHawserState(hawser.chain, (state) => selectRequestedNetworks(state))
  const isSupported = useHawserState(hawser.chain, isActiveNetworkRequested)
  return { network, chainId: network?.id, caipNetworkId: network?.caipNetworkId, networks, isSupported }
}
