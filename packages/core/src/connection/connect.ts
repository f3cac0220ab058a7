import { adapterOf, hasAdapter } from '../chain/adapters.ts'
import { updateAccount } from '../chain/chainState.ts'
import { requireNetworkOf, selectAccount, selectNetwork } from '../chain/selectors.ts'
import { thrown } from '../errors/thrown.ts'
import { ConnectError, errorMessage } from '../errors/walletErrors.ts'
import { isUserRejection } from '../errors/walletFailure.ts'
import type { Connected } from '../types/account.ts'
import type { WalletSession } from '../types/adapter.ts'
import type { Connector } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'

/** Reports that a wallet was selected in the list, for the view that connects it. */
export function selectConnector(hawser: Hawser, connector: Connector): void {
  const { name, type } = connector
  const platform = type === 'WALLET_CONNECT' ? 'qrcode' : 'browser'
  hawser.events.emit({ event: 'SELECT_WALLET', properties: { name, platform } })
  if (type === 'WALLET_CONNECT') hawser.report({ kind: 'walletSelected' })
  else hawser.report({ kind: 'connectorSelected', connector: onOneNamespace(hawser, connector) })
}

/** Returns the entry of a wallet for the only namespace that the site lists of it; the wallet itself if there are several. */
function onOneNamespace(hawser: Hawser, connector: Connector): Connector {
  const usable = (connector.connectors ?? []).filter(({ chain }) => hasAdapter(hawser, chain))
  return usable.length === 1 ? (usable[0] ?? connector) : connector
}

/**
 * Requests a connection from a wallet. A second call for the same wallet joins the pending attempt; a call for
 * another wallet supersedes it.
 *
 * @throws ConnectError whose kind tells a declined request from a failure.
 */
export function connect(hawser: Hawser, { connector }: { connector: Connector }): Promise<Connected> {
  const { pending } = hawser.connecting
  if (pending?.connectorId === connector.id) return pending.attempt

  const attempt = attemptConnect(hawser, connector, hawser.latest.begin('connect').isCurrent)
  hawser.connecting.pending = { connectorId: connector.id, attempt }
  const settle = () => {
    if (hawser.connecting.pending?.attempt === attempt) hawser.connecting.pending = undefined
  }
  attempt.then(settle, settle)
  return attempt
}

async function attemptConnect(
  hawser: Hawser,
  connector: Connector,
  isCurrent: () => boolean,
): Promise<Connected> {
  const namespace = connector.chain
  if (!hasAdapter(hawser, namespace)) throw new Error(thrown.chainAdapterNotFound)
  hawser.connection.setState({ wcError: false })
  showConnecting(hawser, namespace)
  let session: WalletSession
  try {
    const adapter = await adapterOf(hawser, namespace)
    session = await adapter.connect(connector, requireNetworkOf(hawser.chain.getState(), namespace))
    if (session.accounts.length === 0) throw new ConnectError('noAccounts')
  } catch (error) {
    if (isCurrent()) restoreStatus(hawser, connector)
    hawser.events.emit({ event: 'CONNECT_ERROR', properties: { message: errorMessage(error) } })
    throw asConnectError(error)
  }
  if (!isCurrent()) throw new ConnectError('superseded')

  const method = connector.type === 'AUTH' ? 'email' : 'browser'
  hawser.sessions.open({ connector, session, by: { method, name: connector.name } })
  return connectedOn(hawser, connector.chain)
}

/** Shows that a namespace is being connected, and no other one: a new attempt supersedes that of another namespace. */
export function showConnecting(hawser: Hawser, namespace: Namespace): void {
  hideConnecting(hawser)
  hawser.connection.setState({ status: 'connecting' })
  updateAccount(hawser.chain, namespace, { status: 'connecting' })
}

/** Shows that no namespace is being connected, because an attempt was superseded. */
export function hideConnecting(hawser: Hawser): void {
  for (const [each, { accountState }] of hawser.chain.getState().chains) {
    if (accountState.status === 'connecting') restoreAccountStatus(hawser, each)
  }
  restoreConnectionStatus(hawser)
}

function restoreConnectionStatus({ connection, sessions }: Hawser): void {
  connection.setState({ status: sessions.size > 0 ? 'connected' : 'disconnected' })
}

/** Restores the status of a namespace that was not connected after all. */
export function restoreAccountStatus(hawser: Hawser, namespace: Namespace): void {
  const status = hawser.sessions.has(namespace) ? 'connected' : 'disconnected'
  updateAccount(hawser.chain, namespace, { status })
}

/** Restores the status after a failed attempt: what was connected before stays connected. */
export function restoreStatus(hawser: Hawser, { chain: namespace }: Connector): void {
  restoreAccountStatus(hawser, namespace)
  restoreConnectionStatus(hawser)
}

/** Returns the error of a failed attempt, by the wallet's own. */
export function asConnectError(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error
  return new ConnectError(isUserRejection(error) ? 'rejected' : 'failed', error)
}

/** Returns the account and the network that were connected. */
export function connectedOn(hawser: Hawser, namespace: Namespace): Connected {
  const chain = hawser.chain.getState()
  const { address, caipAddress } = selectAccount(chain, namespace)
  const network = selectNetwork(chain, namespace)
  if (!address || !caipAddress || !network) throw new ConnectError('superseded')
  return { address, caipAddress, network }
}
