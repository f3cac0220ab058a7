import { raiseAlert } from './alert/alert.ts'
import { onNetwork, setActiveNetwork } from './chain/activeNetwork.ts'
import { activateNamespace, updateRecord } from './chain/chainState.ts'
import { requestedNetwork } from './chain/requestedNetworks.ts'
import { isWaitedFor, startReconnecting, stopReconnecting } from './connection/reconnecting.ts'
import { connectorContext } from './connectors/context.ts'
import { readRecentWallets } from './connectors/recentWallets.ts'
import { startAnalytics } from './events/analytics.ts'
import { importConnected, withConnected } from './importConnected.ts'
import { caches, items, networkItem } from './storage/items.ts'
import type { ConnectionCookie } from './types/connectionCookie.ts'
import type { Connector, ConnectorFactory } from './types/connector.ts'
import type { Hawser } from './types/hawser.ts'
import type { CaipNetworkId, Namespace } from './types/network.ts'

/** Creates `hawser.mount`: the first caller starts the listeners, the last one stops them. */
export function createMount(
  hawser: Hawser,
  factories: readonly ConnectorFactory[],
  cookie: ConnectionCookie | undefined,
): () => () => void {
  let mounted = 0
  let stop: () => void = () => undefined

  return () => {
    if (mounted === 0) stop = start(hawser, factories, cookie)
    mounted += 1
    let isMounted = true
    return () => {
      if (!isMounted) return
      isMounted = false
      mounted -= 1
      if (mounted === 0) stop()
    }
  }
}

function start(
  hawser: Hawser,
  factories: readonly ConnectorFactory[],
  cookie: ConnectionCookie | undefined,
): () => void {
  if (!hawser.options.getState().projectId) raiseAlert(hawser, 'projectIdNotConfigured')
  readRecentWallets(hawser)
  restoreNetwork(hawser)
  const mounting = new AbortController()
  let isStarted = false
  const context = connectorContext(hawser, (connector) => {
    if (isStarted) void resumeFound(hawser, connector)
  })
  const stops = [
    () => mounting.abort(),
    hawser.chain.subscribe((state, before) => {
      if (state.activeCaipAddress === before.activeCaipAddress) return
      readAccount(hawser)
      if (!before.activeCaipAddress) void follow(hawser, mounting.signal)
    }),
    hawser.storage.onOtherTab((item) =>
      withConnected(hawser, ({ followOtherTab }) => followOtherTab(hawser, item)),
    ),
    startAnalytics(hawser),
    ...factories.map((startConnector) => startConnector(context)),
  ]
  if (hawser.chain.getState().activeCaipAddress) void follow(hawser, mounting.signal)
  if (startReconnecting(hawser)) void resume(hawser)
  else forgetCaches(hawser)
  isStarted = true
  // A link of the modal opened this page in the browser of a wallet.
  if (globalThis.location?.search?.includes('hawser-connect='))
    withConnected(hawser, ({ arriveInWallet }) => arriveInWallet(hawser, mounting.signal))
  const stopCookie = cookie?.start(hawser, () => readAccount(hawser))
  return () => {
    stopCookie?.()
    for (const stop of stops) stop()
    hawser.timers.cancel('reconnect')
  }
}

// The code below is loaded only once an account is connected.

async function resume(hawser: Hawser): Promise<void> {
  try {
    const { reconnect } = await importConnected()
    await reconnect(hawser)
  } catch {
    stopReconnecting(hawser)
  }
}

async function resumeFound(hawser: Hawser, connector: Connector): Promise<void> {
  if (isWaitedFor(hawser, connector)) await resume(hawser)
}

function readAccount(hawser: Hawser): void {
  // Synchronous, so that the modal stays open until it is known whether the account has to sign in.
  if (hawser.siwx)
    hawser.signIn.setState({ status: hawser.chain.getState().activeCaipAddress ? 'checking' : 'off' })
  withConnected(hawser, ({ readAccount }) => readAccount(hawser))
}

/** Follows the active account until it is disconnected. If the code does not load, balances are polled instead. */
async function follow(hawser: Hawser, unmounted: AbortSignal): Promise<void> {
  const { isCurrent } = hawser.latest.begin('follow')
  try {
    const { followUntilDisconnected } = await importConnected()
    if (isCurrent()) followUntilDisconnected(hawser, unmounted)
  } catch {
    // Balances are polled where they are shown.
  }
}

/** Clears the caches of an earlier visitor of this browser. */
function forgetCaches(hawser: Hawser): void {
  if (hawser.sessions.size > 0) return
  for (const cache of Object.values(caches)) hawser.storage.remove(cache)
}

/** Restores the active namespace and the network of each; the network of a connected wallet takes precedence later. */
function restoreNetwork(hawser: Hawser): void {
  if (hawser.sessions.size > 0) return
  for (const each of hawser.chain.getState().chains.keys()) {
    const stored = requestedNetwork(hawser, hawser.storage.read<CaipNetworkId>(networkItem(each)))
    if (stored?.chainNamespace === each)
      updateRecord(hawser.chain, each, (record) => onNetwork(record, stored, true))
  }
  const namespace = hawser.storage.read<Namespace>(items.activeNamespace)
  const network = requestedNetwork(hawser, hawser.storage.read<CaipNetworkId>(items.activeNetworkId))
  if (network) setActiveNetwork(hawser, network)
  else if (namespace) activateNamespace(hawser.chain, namespace)
}
