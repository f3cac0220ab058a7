import { initialActivity } from '../activity/initialActivity.ts'
import { onNetwork } from '../chain/activeNetwork.ts'
import { emptyAccount, updateRecord } from '../chain/chainState.ts'
import { resetNames, resetOwnNames } from '../names/draft.ts'
import { resetSend } from '../send/draft.ts'
import {
  chosenAccountItem,
  connectorItem,
  items,
  storedNamespaces,
  writeConnectedNamespaces,
} from '../storage/items.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'
import type { ChainRecord } from '../types/state.ts'
import { initialConnection } from './initialConnection.ts'

/**
 * Clears the account and wallet of a namespace, without a request to the wallet. What other tabs and instances share is
 * changed only as far as the reason concerns them:
 *
 * - `left`: the visitor disconnected. The others follow.
 * - `refused`: the wallet grants this page nothing. Later visits do not connect it; the others ask it themselves.
 * - `apart`: this page alone is concerned, such as when its wallet does not answer. Nothing shared is changed.
 */
export function forgetSession(
  hawser: Hawser,
  namespace: Namespace,
  reason: 'left' | 'refused' | 'apart',
): void {
  const isActive = hawser.chain.getState().activeChain === namespace
  const wasShown = isActive && hawser.sessions.has(namespace)
  hawser.sessions.get(namespace)?.unwatch()
  hawser.sessions.delete(namespace)
  if (isActive) hawser.latest.abandon('balance')
  hawser.connectors.setState(({ activeConnectorIds }) => ({
    activeConnectorIds: { ...activeConnectorIds, [namespace]: undefined },
  }))
  updateRecord(hawser.chain, namespace, forgotten)
  if (isActive) resetSend(hawser)
  resetNames(hawser)
  resetOwnNames(hawser)
  if (hawser.sessions.size === 0) resetState(hawser)
  if (reason !== 'apart') forgetStored(hawser, namespace, reason)
  if (wasShown) hawser.report({ kind: 'sessionEnded' })
}

function forgetStored(hawser: Hawser, namespace: Namespace, reason: 'left' | 'refused'): void {
  const kept = storedNamespaces(hawser).filter((stored) => stored !== namespace)
  writeConnectedNamespaces(hawser, kept)
  if (reason === 'left') {
    hawser.storage.remove(chosenAccountItem(namespace))
    hawser.storage.remove(items.connectedSocial)
    hawser.storage.remove(items.socialUserName)
  }
  if (hawser.sessions.size === 0) forgetLinks(hawser)
  // Last, because other tabs react to this item: null is a wallet that the visitor left.
  if (reason === 'left') hawser.storage.write(connectorItem(namespace), null)
  else hawser.storage.remove(connectorItem(namespace))
}

/** Resets the connection to disconnected, with what was kept for the wallet's app and the account's history. */
export function resetConnection(hawser: Hawser): void {
  resetState(hawser)
  forgetLinks(hawser)
  writeConnectedNamespaces(hawser, [])
}

/** Removes the links that open the wallet's app. */
function forgetLinks({ storage }: Hawser): void {
  storage.remove(items.deepLink)
  storage.remove(items.handoffLink)
}

function resetState(hawser: Hawser): void {
  hawser.connection.setState(initialConnection)
  hawser.activity.setState(initialActivity)
}

/** Clears a record; a network that the site does not list is replaced by the first that it lists. */
function forgotten(record: ChainRecord): ChainRecord {
  const { caipNetwork, requestedCaipNetworks } = record.networkState
  const isRequested = requestedCaipNetworks.some(
    ({ caipNetworkId }) => caipNetworkId === caipNetwork?.caipNetworkId,
  )
  const network = isRequested ? caipNetwork : requestedCaipNetworks[0]
  const empty: ChainRecord = {
    ...record,
    networkState: {
      ...record.networkState,
      supportsAllNetworks: true,
      approvedCaipNetworkIds: undefined,
      smartAccountEnabledNetworks: [],
    },
    accountState: emptyAccount,
  }
  return network ? onNetwork(empty, network, true) : empty
}
