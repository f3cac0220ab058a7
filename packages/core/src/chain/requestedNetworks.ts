import type { Hawser } from '../types/hawser.ts'
import type { CaipNetworkId, Network } from '../types/network.ts'
import { setActiveNetwork } from './activeNetwork.ts'
import { updateRecord } from './chainState.ts'
import { selectRequestedNetworks } from './selectors.ts'

/** Finds a network that the site lists, by its CAIP-2 id. */
export function requestedNetwork(hawser: Hawser, id: CaipNetworkId | undefined): Network | undefined {
  for (const { networkState } of hawser.chain.getState().chains.values()) {
    const found = networkState.requestedCaipNetworks.find(({ caipNetworkId }) => caipNetworkId === id)
    if (found) return found
  }
  return undefined
}

/** Adds a network to the site's list; one with the same id is replaced. */
export function addNetwork(hawser: Hawser, network: Network): void {
  setRequested(hawser, network, (networks) => [
    ...networks.filter(({ caipNetworkId }) => caipNetworkId !== network.caipNetworkId),
    network,
  ])
}

/** Removes a network from the site's list. If it was active, the first that is left becomes active. */
export function removeNetwork(hawser: Hawser, network: Network): void {
  setRequested(hawser, network, (networks) =>
    networks.filter(({ caipNetworkId }) => caipNetworkId !== network.caipNetworkId),
  )
  const chain = hawser.chain.getState()
  const [first] = selectRequestedNetworks(chain, network.chainNamespace)
  if (first && chain.activeCaipNetwork?.caipNetworkId === network.caipNetworkId)
    setActiveNetwork(hawser, first)
}

function setRequested(
  hawser: Hawser,
  { chainNamespace }: Network,
  change: (networks: readonly Network[]) => readonly Network[],
): void {
  updateRecord(hawser.chain, chainNamespace, (record) => {
    const networks = change(record.networkState.requestedCaipNetworks)
    return {
      ...record,
      caipNetworks: networks,
      networkState: { ...record.networkState, requestedCaipNetworks: networks },
    }
  })
}
