import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { requestedNetwork } from '../chain/requestedNetworks.ts'
import { readRecentWallets } from '../connectors/recentWallets.ts'
import { connectorItem, items } from '../storage/items.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipNetworkId, Namespace } from '../types/network.ts'
import { forgetSession } from './forgetSession.ts'
import { reconnect } from './reconnect.ts'

/**
 * Applies a change that another tab made in storage.
 *
 * @param item the changed item; undefined when storage was cleared.
 */
export function followOtherTab(hawser: Hawser, item: string | undefined): void {
  if (item === items.recentWallets) readRecentWallets(hawser)
  else if (item === items.activeNetworkId) followNetwork(hawser)
  else followConnection(hawser, item)
}

/** Follows the stored network while disconnected; a connected wallet reports its network to every tab itself. */
function followNetwork(hawser: Hawser): void {
  if (hawser.sessions.size > 0) return
  const network = requestedNetwork(hawser, hawser.storage.read<CaipNetworkId>(items.activeNetworkId))
  if (network) setActiveNetwork(hawser, network)
}

function followConnection(hawser: Hawser, item: string | undefined): void {
  for (const namespace of hawser.chain.getState().chains.keys()) {
    if (item !== undefined && item !== connectorItem(namespace)) continue
    if (hawser.storage.read(connectorItem(namespace))) void reconnect(hawser)
    else if (hawser.sessions.has(namespace)) leave(hawser, namespace)
  }
}

function leave(hawser: Hawser, namespace: Namespace): void {
  forgetSession(hawser, namespace)
  hawser.events.emit({ event: 'DISCONNECT_SUCCESS', properties: { namespace } })
}
