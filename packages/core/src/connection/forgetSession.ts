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

/** Clears the account and wallet of a namespace, in memory and in storage, without a request to the wallet. */
export function forgetSession(hawser: Hawser, namespace: Namespace): void {
  const left = storedNamespaces(hawser).filter((stored) => stored !== namespace)
  const isActive = hawser.chain.getState().activeChain === namespace
  const wasShown = isActive && hawser.sessions.has(namespace)
  hawser.sessions.get(namespace)?.unwatch()
  hawser.sessions.delete(namespace)
  if (isActive) hawser.latest.abandon('balance')
  hawser.connectors.setState(({ activeConnectorIds }) => ({
    activeConnectorIds: { ...activeConnectorIds, [namespace]: undefined },
  }))
  updateRecord(hawser.chain, namespace, forgotten)
  hawser.storage.remove(connectorItem(namespace))
  hawser.storage.remove(chosenAccountItem(namespace))
  hawser.storage.remove(items.connectedSocial)
  hawser.storage.remove(items.socialUserName)
  if (isActive) resetSend(hawser)
  resetNames(hawser)
  resetOwnNames(hawser)
  if (hawser.sessions.size === 0) resetConnection(hawser)
  writeConnectedNamespaces(hawser, left)
  if (wasShown) hawser.report({ kind: 'sessionEnded' })
}

/** Resets the connection to disconnected, with what was kept for the wallet's app and the account's history. */
export function resetConnection(hawser: Hawser): void {
  hawser.connection.setState(initialConnection)
  hawser.activity.setState(initialActivity)
  hawser.storage.remove(items.deepLink)
  writeConnectedNamespaces(hawser, [])
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
