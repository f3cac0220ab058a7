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
  /** The networks the site asked for. */
  networks: readonly Network[]
  /** False when the wallet is on a network the site did not ask for. */
  isSupported: boolean
}

/** The network in use, and the ones there are to choose from. */
export function useNetwork(): ActiveNetwork {
  const hawser = useHawser()
  const network = useHawserState(hawser.chain, (state) => selectNetwork(state))
  const networks = useHawserState(hawser.chain, (state) => selectRequestedNetworks(state))
  const isSupported = useHawserState(hawser.chain, isActiveNetworkRequested)
  return { network, chainId: network?.id, caipNetworkId: network?.caipNetworkId, networks, isSupported }
}
