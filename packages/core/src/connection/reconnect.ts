import { adapterOf } from '../chain/adapters.ts'
import { activateNamespace } from '../chain/chainState.ts'
import { requireNetworkOf } from '../chain/selectors.ts'
import { errorMessage } from '../errors/walletErrors.ts'
import { items, storedNamespaces } from '../storage/items.ts'
import type { WalletSession } from '../types/adapter.ts'
import type { Connector } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'
import { forgetSession } from './forgetSession.ts'
import { isWaitedFor, startReconnecting, stopReconnecting } from './reconnecting.ts'

/** How long to wait for wallets, which announce themselves after the page has loaded, in milliseconds. */
const DISCOVERY_PATIENCE_MS = 3_000

/**
 * Reconnects, without a prompt, the wallets that were connected when the page was last closed. Wallets that are not
 * found yet are reconnected once they announce themselves.
 *
 * @param isShared whether another tab or instance is connected to them now. Its connection stays stored if this page is refused.
 */
export async function reconnect(hawser: Hawser, { isShared = false } = {}): Promise<void> {
  if (!startReconnecting(hawser)) return
  hawser.timers.set('reconnect', DISCOVERY_PATIENCE_MS, () => stopReconnecting(hawser))
  const { allConnectors } = hawser.connectors.getState()
  await Promise.all(allConnectors.map((found) => reconnectFound(hawser, found, isShared)))
}

/** Reconnects a wallet if the page waits for it. */
async function reconnectFound(hawser: Hawser, connector: Connector, isShared: boolean): Promise<void> {
  const namespace = connector.chain
  if (!isWaitedFor(hawser, connector)) return
  let session: WalletSession | undefined
  let reason: 'refused' | 'apart' = isShared ? 'apart' : 'refused'
  try {
    session = await resume(hawser, connector)
  } catch (error) {
    reason = 'apart'
    hawser.log.write('warn', 'the wallet is not connected again', { namespace, error: errorMessage(error) })
  }
  if (!isWaitedFor(hawser, connector)) return
  if (!session) {
    forgetSession(hawser, namespace, reason)
    return
  }
  const { activeChain } = hawser.chain.getState()
  hawser.sessions.open({ connector, session })
  stayOn(hawser, activeChain)
}

/**
 * Returns the session of a wallet that was connected before; undefined when the wallet grants nothing any more.
 *
 * @throws Error when the wallet does not answer
 */
export async function resume(hawser: Hawser, connector: Connector): Promise<WalletSession | undefined> {
  const adapter = await adapterOf(hawser, connector.chain)
  return adapter.reconnect(connector, requireNetworkOf(hawser.chain.getState(), connector.chain))
}

/** Keeps the visitor on the namespace that they use: reconnecting a wallet must not switch it. */
function stayOn(hawser: Hawser, namespace: Namespace): void {
  if (!storedNamespaces(hawser).includes(namespace)) return
  activateNamespace(hawser.chain, namespace)
  hawser.storage.write(items.activeNamespace, namespace)
}
