import { onNetwork, setActiveNetwork } from '../chain/activeNetwork.ts'
import { adapterOf } from '../chain/adapters.ts'
import { unknownProfile, unreadBalances, updateAccount, updateRecord } from '../chain/chainState.ts'
import { requestedNetwork } from '../chain/requestedNetworks.ts'
import { selectAccount } from '../chain/selectors.ts'
import { rememberWallet } from '../connectors/recentWallets.ts'
import { closeModal } from '../modal/modal.ts'
import { leaveNames, resetNames, resetOwnNames } from '../names/draft.ts'
import { unknownNetwork } from '../network/network.ts'
import { leaveSend, resetSend } from '../send/draft.ts'
import { storedNamespaces, writeConnectedNamespaces } from '../storage/connected.ts'
import { connectorItem, items } from '../storage/items.ts'
import type { WalletSession } from '../types/adapter.ts'
import type { Connector } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipNetworkId, Namespace } from '../types/network.ts'
import { forgetSession } from './forgetSession.ts'

/** Takes a wallet's answer into the state, and listens to what the wallet says from now on. */
export function establishSession(hawser: Hawser, connector: Connector, session: WalletSession): void {
  const namespace = connector.chain
  hawser.sessions.get(namespace)?.unwatch()
  const unwatch = adapterOf(hawser, namespace).watch(session, {
    accountsChanged: (accounts) => takeAccounts(hawser, namespace, accounts),
    networkChanged: (id) => takeNetwork(hawser, id),
    disconnected: () => leaveLockedWallet(hawser, namespace),
  })
  hawser.sessions.set(namespace, { ...session, connectorId: connector.id, unwatch })
  hawser.connectors.setState(({ activeConnectorIds }) => ({
    activeConnectorIds: { ...activeConnectorIds, [namespace]: connector.id },
  }))
  updateAccount(hawser.chain, namespace, {
    ...unreadBalances,
    ...(!isSameAccount(hawser, namespace, session.accounts[0]) && unknownProfile),
    ...accountFields(session.accounts),
    status: 'connected',
    connectedWalletInfo: walletInfo(connector),
    preferredAccountTypes: hawser.storage.read(items.preferredAccountTypes) ?? {},
  })
  setActiveNetwork(hawser, networkFor(hawser, session.caipNetworkId))
  hawser.connection.setState({ status: 'connected', wcError: false })
  storeConnection(hawser, namespace, connector.id)
  rememberWallet(hawser, connector)
}

function accountFields(accounts: readonly string[]) {
  return {
    address: accounts[0],
    allAccounts: accounts.map((address) => ({ address, type: 'eoa' as const })),
  }
}

function walletInfo({ name, type, imageUrl, info }: Connector) {
  return { name, type, ...(imageUrl && { icon: imageUrl }), ...(info?.rdns && { rdns: info.rdns }) }
}

function networkFor(hawser: Hawser, id: CaipNetworkId) {
  return requestedNetwork(hawser, id) ?? unknownNetwork(id)
}

function storeConnection(hawser: Hawser, namespace: Namespace, connectorId: string): void {
  writeConnectedNamespaces(hawser, [
    ...storedNamespaces(hawser).filter((stored) => stored !== namespace),
    namespace,
  ])
  // Last, as other tabs act on this one.
  hawser.storage.write(connectorItem(namespace), connectorId)
}

function takeAccounts(hawser: Hawser, namespace: Namespace, accounts: readonly string[]): void {
  const [address] = accounts
  if (!address) {
    leaveLockedWallet(hawser, namespace)
    return
  }
  const isSame = isSameAccount(hawser, namespace, address)

  if (!isSame) hawser.latest.abandon('balance')
  updateRecord(hawser.chain, namespace, (record) => {
    const accountState = {
      ...record.accountState,
      ...(!isSame && unknownProfile),
      ...accountFields(accounts),
    }
    const moved = { ...record, accountState }
    const { caipNetwork } = record.networkState
    return caipNetwork ? onNetwork(moved, caipNetwork, !isSame) : moved
  })
  if (isSame) return
  resetSend(hawser)
  leaveSend(hawser)
  resetNames(hawser)
  resetOwnNames(hawser)
  leaveNames(hawser)
}

function isSameAccount(hawser: Hawser, namespace: Namespace, address: string | undefined): boolean {
  const known = selectAccount(hawser.chain.getState(), namespace).address
  return known?.toLowerCase() === address?.toLowerCase()
}

function takeNetwork(hawser: Hawser, id: CaipNetworkId): void {
  const wasRefused = hawser.router.getState().view === 'UnsupportedChain'
  const network = networkFor(hawser, id)
  if (hawser.chain.getState().activeCaipNetwork?.caipNetworkId !== id) leaveSend(hawser)
  setActiveNetwork(hawser, network)
  if (wasRefused && requestedNetwork(hawser, id) && hawser.modal.getState().open) closeModal(hawser)
}

/** A wallet also tells of no accounts while it is being disconnected: `disconnect` sees that to its end. */
function leaveLockedWallet(hawser: Hawser, namespace: Namespace): void {
  if (!hawser.sessions.has(namespace) || hawser.leaving.has(namespace)) return
  forgetSession(hawser, namespace)
  hawser.events.emit({ event: 'DISCONNECT_SUCCESS', properties: { namespace } })
}
