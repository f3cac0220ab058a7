import { plainText } from '@hawser/client'
import { onNetwork, setActiveNetwork } from '../chain/activeNetwork.ts'
import { loadedAdapter } from '../chain/adapters.ts'
import { unknownProfile, unreadBalances, updateAccount, updateRecord } from '../chain/chainState.ts'
import { requestedNetwork } from '../chain/requestedNetworks.ts'
import { selectAccount } from '../chain/selectors.ts'
import { rememberWallet } from '../connectors/recentWallets.ts'
import { importModule } from '../importModule.ts'
import { reportTransfer } from '../modal/transferFlows.ts'
import { unknownNetwork } from '../network/network.ts'
import {
  connectorItem,
  items,
  networkItem,
  storedNamespaces,
  writeConnectedNamespaces,
} from '../storage/items.ts'
import type { ConnectedWalletInfo } from '../types/account.ts'
import type { WalletListener, WalletSession } from '../types/adapter.ts'
import type { Connector } from '../types/connector.ts'
import type { Hawser, Login } from '../types/hawser.ts'
import type { CaipNetworkId, Namespace, Network } from '../types/network.ts'
import { accountFields, takeAccounts } from './accounts.ts'
import { forgetSession } from './forgetSession.ts'

/**
 * Does what follows every login: follows the wallet's events, shows its account and networks, stores the connection, and
 * reports a wallet that the visitor connected.
 */
export function followLogin(hawser: Hawser, login: Login, left: AbortSignal): void {
  const { connector, session, isActive = true, by } = login
  const namespace = connector.chain
  left.addEventListener(
    'abort',
    loadedAdapter(hawser, namespace).watch(session, walletListener(hawser, connector)),
  )
  hawser.connectors.setState(({ activeConnectorIds }) => ({
    activeConnectorIds: { ...activeConnectorIds, [namespace]: connector.id },
  }))
  const { address: before } = selectAccount(hawser.chain.getState(), namespace)
  const fields = accountFields(hawser, namespace, session.accounts)
  updateAccount(hawser.chain, namespace, {
    ...(before?.toLowerCase() !== fields.address?.toLowerCase() && { ...unreadBalances, ...unknownProfile }),
    ...fields,
    status: 'connected',
    connectedWalletInfo: walletInfo(hawser, connector, session),
    preferredAccountTypes: hawser.storage.read(items.preferredAccountTypes) ?? {},
  })
  const network = networkFor(hawser, session.caipNetworkId)
  if (isActive) setActiveNetwork(hawser, network)
  else setNetwork(hawser, network)
  takeApproved(hawser, namespace, session)
  hawser.connection.setState({ status: 'connected', wcError: false })
  if (!session.endsWithTab) storeConnection(hawser, namespace, connector.id)
  if (connector.type === 'AUTH') void followEmbedded(hawser, connector, left)
  else if (!session.relay) rememberWallet(hawser, connector)
  if (!by) return
  hawser.events.emit({ event: 'CONNECT_SUCCESS', properties: by })
  hawser.report({ kind: 'connected' })
}

function walletListener(hawser: Hawser, connector: Connector): WalletListener {
  const namespace = connector.chain
  return {
    accountsChanged(accounts) {
      if (accounts.length === 0) return leaveLockedWallet(hawser, namespace)
      const current = hawser.sessions.get(namespace)
      if (current) hawser.sessions.set(namespace, { ...current, accounts })
      takeAccounts(hawser, namespace, accounts)
      void refreshApproved(hawser, connector)
    },
    networkChanged(id) {
      takeNetwork(hawser, namespace, id)
      void refreshApproved(hawser, connector)
    },
    disconnected: () => leaveLockedWallet(hawser, namespace),
  }
}

/** Follows an embedded wallet, by code that is loaded with it. */
async function followEmbedded(hawser: Hawser, connector: Connector, left: AbortSignal): Promise<void> {
  try {
    const { followEmbeddedWallet } = await importModule(
      () => import('../embedded/follow.ts'),
      'followEmbeddedWallet',
    )
    await followEmbeddedWallet(hawser, connector, left)
  } catch (error) {
    hawser.log.write('warn', 'the embedded wallet is not followed', { error: String(error) })
  }
}

/**
 * Describes the connected wallet. One that answers through a relay names itself; its picture is that of the wallet
 * directory, because one of its own would be loaded from a host of its choice.
 */
function walletInfo(
  hawser: Hawser,
  connector: Connector,
  { relay, endsWithTab }: WalletSession,
): ConnectedWalletInfo {
  const { name, type, imageUrl, info } = connector
  if (!relay) {
    return {
      name,
      type,
      ...(imageUrl && { icon: imageUrl }),
      ...(info?.rdns && { rdns: info.rdns }),
      ...(endsWithTab && { endsWithTab }),
    }
  }
  const peer = plainText(relay.peer.name).trim()
  const { recentWallet: wallet } = hawser.connection.getState()
  return {
    name: peer || wallet?.name || name,
    type,
    ...(wallet?.imageUrl && { icon: wallet.imageUrl }),
    ...(wallet?.rdns && { rdns: wallet.rdns }),
  }
}

/** Stores which networks the wallet approved; a wallet in the page approves all that it does not limit itself to. */
function takeApproved(
  hawser: Hawser,
  namespace: Namespace,
  { relay, networks }: Pick<WalletSession, 'relay' | 'networks'>,
): void {
  updateRecord(hawser.chain, namespace, (record) => ({
    ...record,
    networkState: {
      ...record.networkState,
      supportsAllNetworks: relay ? relay.supportsAllNetworks && namespace === 'eip155' : !networks,
      approvedCaipNetworkIds: relay?.approvedNetworkIds ?? networks,
    },
  }))
}

/** Reads the approved networks again after the wallet changed its session. */
async function refreshApproved(hawser: Hawser, connector: Connector): Promise<void> {
  const relay = await connector.getSession?.().catch(() => undefined)
  const isInUse = hawser.sessions.get(connector.chain)?.connectorId === connector.id
  if (relay && isInUse) takeApproved(hawser, connector.chain, { relay })
}

function networkFor(hawser: Hawser, id: CaipNetworkId) {
  return requestedNetwork(hawser, id) ?? unknownNetwork(id)
}

/** Stores what the next visit, and the other tabs, connect to. */
export function storeConnection(hawser: Hawser, namespace: Namespace, connectorId: string): void {
  writeConnectedNamespaces(hawser, [
    ...storedNamespaces(hawser).filter((stored) => stored !== namespace),
    namespace,
  ])
  // Last, because other tabs react to this item.
  hawser.storage.write(connectorItem(namespace), connectorId)
}

/** Follows a wallet to another network. One of a namespace that is not active changes nothing that is shown. */
function takeNetwork(hawser: Hawser, namespace: Namespace, id: CaipNetworkId): void {
  const network = networkFor(hawser, id)
  const { activeChain, activeCaipNetwork } = hawser.chain.getState()
  if (namespace !== activeChain) {
    setNetwork(hawser, network)
    return
  }
  if (activeCaipNetwork?.caipNetworkId !== id) reportTransfer(hawser, { kind: 'sendDropped' })
  setActiveNetwork(hawser, network)
  if (requestedNetwork(hawser, id)) hawser.report({ kind: 'networkAccepted' })
}

/** Sets the network of a namespace that is not active. */
function setNetwork(hawser: Hawser, network: Network): void {
  const { caipNetworkId, chainNamespace } = network
  updateRecord(hawser.chain, chainNamespace, (record) =>
    onNetwork(record, network, record.networkState.caipNetwork?.caipNetworkId !== caipNetworkId),
  )
  hawser.storage.write(networkItem(chainNamespace), caipNetworkId)
}

/**
 * Forgets a wallet that was locked. While it is being disconnected, it also reports no accounts: `disconnect` handles
 * that.
 */
function leaveLockedWallet(hawser: Hawser, namespace: Namespace): void {
  if (!hawser.sessions.has(namespace) || hawser.leaving.has(namespace)) return
  forgetSession(hawser, namespace, hawser.sessions.get(namespace)?.endsWithTab ? 'apart' : 'refused')
  hawser.events.emit({ event: 'DISCONNECT_SUCCESS', properties: { namespace } })
}
