import { adapterOf } from '../chain/adapters.ts'
import { updateAccount } from '../chain/chainState.ts'
import { connectorItem } from '../storage/items.ts'
import type { Connector } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'
import { forgetSession } from './forgetSession.ts'
import { establishSession } from './session.ts'

/** Wallets announce themselves after the page has loaded; one that has not by then is taken as gone. */
const DISCOVERY_PATIENCE_MS = 3_000

/**
 * Picks up, without a prompt, the wallets that were connected when the page was left. Wallets that are not found
 * yet are waited for: `reconnectFound` takes them as they turn up.
 */
export async function reconnect(hawser: Hawser): Promise<void> {
  const waiting = [...hawser.chain.getState().chains.keys()].filter(
    (namespace) => !hawser.sessions.has(namespace) && storedConnectorId(hawser, namespace),
  )
  if (waiting.length === 0) return
  hawser.connection.setState({ status: 'connecting' })
  for (const namespace of waiting) updateAccount(hawser.chain, namespace, { status: 'reconnecting' })
  hawser.timers.set('reconnect', DISCOVERY_PATIENCE_MS, () => giveUp(hawser))
  await Promise.all(hawser.connectors.getState().allConnectors.map((found) => reconnectFound(hawser, found)))
}

/** Reconnects a wallet that was just found, when it is the one that is waited for. */
export async function reconnectFound(hawser: Hawser, connector: Connector): Promise<void> {
  const namespace = connector.chain
  if (!isWaitedFor(hawser, connector)) return
  const session = await adapterOf(hawser, namespace)
    .reconnect(connector)
    .catch(() => undefined)
  if (!isWaitedFor(hawser, connector)) return
  if (session) establishSession(hawser, connector, session)
  else forgetSession(hawser, namespace)
}

function isWaitedFor(hawser: Hawser, { chain: namespace, id }: Connector): boolean {
  const account = hawser.chain.getState().chains.get(namespace)?.accountState
  return account?.status === 'reconnecting' && storedConnectorId(hawser, namespace) === id
}

function storedConnectorId(hawser: Hawser, namespace: Namespace): string | undefined {
  return hawser.storage.read<string>(connectorItem(namespace))
}

/** The wallet may come back on the next visit, so storage keeps its name. */
function giveUp(hawser: Hawser): void {
  const found = hawser.connectors.getState().allConnectors
  for (const [namespace, { accountState }] of hawser.chain.getState().chains) {
    if (accountState.status !== 'reconnecting') continue
    if (found.some((connector) => isWaitedFor(hawser, connector))) continue
    updateAccount(hawser.chain, namespace, { status: 'disconnected' })
  }
  const isConnecting = hawser.connection.getState().status === 'connecting' && !hawser.connecting.pending
  if (isConnecting && hawser.sessions.size === 0) hawser.connection.setState({ status: 'disconnected' })
}
