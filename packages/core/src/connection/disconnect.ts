import { adapterOf } from '../chain/adapters.ts'
import { selectAccount, selectRequestedNetworks } from '../chain/selectors.ts'
import { isContested } from '../connectors/connectorList.ts'
import { toast } from '../errors/messages.ts'
import { errorMessage } from '../errors/walletErrors.ts'
import type { Connector } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'
import { forgetSession } from './forgetSession.ts'
import { reconnectingNamespaces, storedConnectorId } from './reconnecting.ts'

/** Connectors of these types have one session for several namespaces. */
const sharedKinds: readonly Connector['type'][] = ['WALLET_CONNECT', 'AUTH']

/**
 * Disconnects one namespace and those that share its session, or all; also from a wallet of the last visit that is not
 * connected again yet. Does nothing when none is connected or it is being disconnected already. A wallet that fails to
 * disconnect stays connected, and the failure is reported.
 */
export async function disconnect(
  hawser: Hawser,
  { namespace }: { namespace?: Namespace } = {},
): Promise<void> {
  const kept = namespace ? withSiblings(hawser, namespace) : keptNamespaces(hawser)
  const leaving = kept.filter((each) => !hawser.leaving.has(each))
  if (leaving.length === 0) return
  hawser.report({ kind: 'failureEnded', ...toast('disconnectFailed') })
  hawser.report({ kind: 'disconnecting', isPending: true, namespace })
  try {
    const [outcomes] = await Promise.all([
      Promise.allSettled(
        leaving.map((each) =>
          hawser.sessions.has(each) ? disconnectOne(hawser, each) : disconnectMissing(hawser, each),
        ),
      ),
      endSignIn(hawser, leaving),
    ])
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed) report(hawser, failed.reason)
    else hawser.events.emit({ event: 'DISCONNECT_SUCCESS', properties: { namespace: namespace ?? 'all' } })
  } finally {
    hawser.report({ kind: 'disconnecting', isPending: false, namespace })
  }
}

/**
 * Signs the accounts of some namespaces out, unless the site keeps the sessions. A failure does not keep the wallet
 * connected.
 */
async function endSignIn(hawser: Hawser, leaving: readonly Namespace[]): Promise<void> {
  const { siwx, log, sessions } = hawser
  if (!siwx || siwx.signOutOnDisconnect === false) return
  const isLast = [...sessions.keys()].every((each) => leaving.includes(each))
  const state = hawser.chain.getState()
  const accounts = leaving.flatMap((namespace) =>
    selectRequestedNetworks(state, namespace).flatMap(({ caipNetworkId }) =>
      selectAccount(state, namespace).allAccounts.map(({ address }) => ({ caipNetworkId, address })),
    ),
  )
  const report = (error: unknown) => log.write('warn', 'signing out failed', { error: errorMessage(error) })
  if (isLast) return siwx.setSessions([]).catch(report)
  for (const { caipNetworkId, address } of accounts) {
    try {
      const signedIn = await siwx.getSessions(caipNetworkId, address)
      if (signedIn.length > 0) await siwx.revokeSession(caipNetworkId, address)
    } catch (error) {
      report(error)
    }
  }
}

/** Returns the namespaces that are connected, and those that the next visit would connect again. */
function keptNamespaces(hawser: Hawser): Namespace[] {
  return [...hawser.sessions.keys(), ...reconnectingNamespaces(hawser)]
}

function withSiblings(hawser: Hawser, namespace: Namespace): Namespace[] {
  const kept = keptNamespaces(hawser)
  if (!kept.includes(namespace)) return []
  const kind = connectorOf(hawser, namespace)?.type
  if (!kind || !sharedKinds.includes(kind)) return [namespace]
  return kept.filter((each) => connectorOf(hawser, each)?.type === kind)
}

async function disconnectOne(hawser: Hawser, namespace: Namespace): Promise<void> {
  const session = hawser.sessions.get(namespace)
  const connector = connectorOf(hawser, namespace)
  hawser.leaving.add(namespace)
  try {
    if (connector) await (await adapterOf(hawser, namespace)).disconnect(connector)
  } finally {
    hawser.leaving.delete(namespace)
  }
  if (hawser.sessions.get(namespace)?.unwatch === session?.unwatch)
    forgetSession(hawser, namespace, session?.endsWithTab ? 'apart' : 'left')
}

/**
 * Forgets the wallet of the last visit, so that nothing connects it again, and disconnects it if it was found. The
 * visitor sees no connection that a failure could keep.
 */
async function disconnectMissing(hawser: Hawser, namespace: Namespace): Promise<void> {
  const connector = connectorOf(hawser, namespace)
  forgetSession(hawser, namespace, 'left')
  if (!connector || isContested(hawser.connectors.getState().allConnectors, connector)) return
  try {
    await (await adapterOf(hawser, namespace)).disconnect(connector)
  } catch (error) {
    hawser.log.write('warn', 'the wallet of the last visit is not disconnected', {
      namespace,
      error: errorMessage(error),
    })
  }
}

/** Returns the connector of the session, or the one that is waited for. */
function connectorOf(hawser: Hawser, namespace: Namespace): Connector | undefined {
  const id = hawser.sessions.get(namespace)?.connectorId ?? storedConnectorId(hawser, namespace)
  return hawser.connectors.getState().allConnectors.find((each) => each.chain === namespace && each.id === id)
}

function report(hawser: Hawser, error: unknown): void {
  hawser.report({ kind: 'disconnectFailed', ...toast('disconnectFailed') })
  hawser.events.emit({ event: 'DISCONNECT_ERROR', properties: { message: errorMessage(error) } })
}
