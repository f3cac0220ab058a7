import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { requestedNetwork } from '../chain/requestedNetworks.ts'
import { readRecentWallets } from '../connectors/recentWallets.ts'
import { anyItem } from '../storage/hawserStorage.ts'
import { connectorItem, items } from '../storage/items.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipNetworkId, Namespace } from '../types/network.ts'
import { forgetSession } from './forgetSession.ts'
import { reconnect, resume } from './reconnect.ts'
import { storeConnection } from './session.ts'

/**
 * Applies a change that another tab made in storage.
 *
 * @param item the changed item, or `anyItem`; undefined when storage was cleared.
 */
export function followOtherTab(hawser: Hawser, item: string | undefined): void {
  if (item === items.recentWallets || item === anyItem) readRecentWallets(hawser)
  if (item === items.activeNetworkId || item === anyItem) followNetwork(hawser)
  followConnection(hawser, item)
}

/** Follows the stored network while disconnected; a connected wallet reports its network to every tab itself. */
function followNetwork(hawser: Hawser): void {
  if (hawser.sessions.size > 0) return
  const network = requestedNetwork(hawser, hawser.storage.read<CaipNetworkId>(items.activeNetworkId))
  if (network) setActiveNetwork(hawser, network)
}

function followConnection(hawser: Hawser, item: string | undefined): void {
  for (const namespace of hawser.chain.getState().chains.keys()) {
    if (item !== undefined && item !== anyItem && item !== connectorItem(namespace)) continue
    const stored = hawser.storage.read<string | null>(connectorItem(namespace))
    if (stored) void reconnect(hawser, { isShared: true })
    else if (item === undefined || stored === null) leave(hawser, namespace)
    else void confirm(hawser, namespace)
  }
}

/** Leaves a wallet that the visitor left in another tab. A login that only this page has stays. */
function leave(hawser: Hawser, namespace: Namespace): void {
  const session = hawser.sessions.get(namespace)
  if (!session || session.endsWithTab) return
  forgetSession(hawser, namespace, 'apart')
  hawser.events.emit({ event: 'DISCONNECT_SUCCESS', properties: { namespace } })
}

/** Asks the wallet itself after another page was refused by it, and stores the connection again if it goes on here. */
async function confirm(hawser: Hawser, namespace: Namespace): Promise<void> {
  const session = hawser.sessions.get(namespace)
  if (!session || session.endsWithTab) return
  const { connectorId, unwatch } = session
  const connector = hawser.connectors
    .getState()
    .allConnectors.find(({ id, chain }) => id === connectorId && chain === namespace)
  if (!connector) return
  const isGranted = await resume(hawser, connector).then(
    (granted) => granted !== undefined,
    () => true,
  )
  if (hawser.sessions.get(namespace)?.unwatch !== unwatch) return
  if (isGranted) storeConnection(hawser, namespace, connectorId)
  else leave(hawser, namespace)
}
