import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { requestedNetwork } from '../chain/requestedNetworks.ts'
import { readRecentWallets } from '../connectors/recentWallets.ts'
import { connectorItem, items } from '../storage/items.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipNetworkId, Namespace } from '../types/network.ts'
import { forgetSession } from './forgetSession.ts'
import { reconnect } from './reconnect.ts'

/** Keeps this tab in step: `item` is what another tab changed in storage, undefined when it cleared everything. */
export function followOtherTab(hawser: Hawser, item: string | undefined): void {
  if (item === items.recentWallets) readRecentWallets(hawser)
  else if (item === items.activeNetworkId) followNetwork(hawser)
  else followConnection(hawser, item)
}

/** A connected wallet tells every tab of its network itself; only a disconnected tab follows storage. */
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
