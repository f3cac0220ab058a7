import { updateAccount } from '../chain/chainState.ts'
import { isContested } from '../connectors/connectorList.ts'
import { connectorItem, storedNamespaces } from '../storage/items.ts'
import type { SavedInstance } from '../types/connectionCookie.ts'
import type { Connector } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'

/**
 * Marks the namespaces that were connected when the page was last closed as reconnecting, so that nothing flickers.
 * False if there are none.
 */
export function startReconnecting(hawser: Hawser): boolean {
  const waiting = reconnectingNamespaces(hawser)
  for (const namespace of waiting) updateAccount(hawser.chain, namespace, { status: 'reconnecting' })
  if (waiting.length > 0) hawser.connection.setState({ status: 'connecting' })
  return waiting.length > 0
}

/** Returns the namespaces that were connected when the page was last closed and are not now, oldest connection first. */
export function reconnectingNamespaces(hawser: SavedInstance): readonly Namespace[] {
  const { chains } = hawser.chain.getState()
  return storedNamespaces(hawser).filter(
    (namespace) =>
      chains.has(namespace) && !hawser.sessions.has(namespace) && storedConnectorId(hawser, namespace),
  )
}

/**
 * Reports whether a wallet is the one to reconnect. When two wallets announce the same id, the visitor has to choose.
 */
export function isWaitedFor(hawser: Hawser, connector: Connector): boolean {
  const { chain: namespace, id } = connector
  const account = hawser.chain.getState().chains.get(namespace)?.accountState
  const isStored = account?.status === 'reconnecting' && storedConnectorId(hawser, namespace) === id
  return isStored && !isContested(hawser.connectors.getState().allConnectors, connector)
}

/** Stops waiting for wallets that were not found; storage keeps their ids for the next visit. */
export function stopReconnecting(hawser: Hawser): void {
  const found = hawser.connectors.getState().allConnectors
  for (const [namespace, { accountState }] of hawser.chain.getState().chains) {
    if (accountState.status !== 'reconnecting') continue
    if (found.some((connector) => isWaitedFor(hawser, connector))) continue
    updateAccount(hawser.chain, namespace, { status: 'disconnected' })
  }
  settleStatus(hawser)
}

/** Derives the connection's status from the namespaces. */
function settleStatus(hawser: Hawser): void {
  if (hawser.connecting.pending || hawser.sessions.size > 0) return
  const records = [...hawser.chain.getState().chains.values()]
  const isWaiting = records.some(({ accountState }) => accountState.status === 'reconnecting')
  hawser.connection.setState({ status: isWaiting ? 'connecting' : 'disconnected' })
}

/** Returns the id of the connector that was last connected on a namespace; undefined after a disconnect. */
export function storedConnectorId(hawser: Pick<Hawser, 'storage'>, namespace: Namespace): string | undefined {
  return hawser.storage.read<string | null>(connectorItem(namespace)) ?? undefined
}
