import { fetchNativeBalance } from './account/nativeBalance.ts'
import { raiseAlert } from './alert/alert.ts'
import { setActiveNetwork } from './chain/activeNetwork.ts'
import { requestedNetwork } from './chain/requestedNetworks.ts'
import { followOtherTabs } from './connection/otherTabs.ts'
import { reconnect, reconnectFound } from './connection/reconnect.ts'
import { discoverConnectors } from './connectors/discovery.ts'
import { readRecentWallets } from './connectors/recentWallets.ts'
import { items } from './storage/items.ts'
import type { ConnectorFactory } from './types/connector.ts'
import type { Hawser } from './types/hawser.ts'
import type { CaipNetworkId } from './types/network.ts'

/** Makes `hawser.mount`: started by the first caller, stopped by the last. */
export function createMount(hawser: Hawser, factories: readonly ConnectorFactory[]): () => () => void {
  let mounted = 0
  let stop: () => void = () => undefined

  return () => {
    if (mounted === 0) stop = start(hawser, factories)
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

function start(hawser: Hawser, factories: readonly ConnectorFactory[]): () => void {
  if (!hawser.options.getState().projectId) raiseAlert(hawser, 'projectIdNotConfigured')
  readRecentWallets(hawser)
  restoreNetwork(hawser)
  const stops = [
    hawser.chain.subscribe((state, before) => {
      if (state.activeCaipAddress !== before.activeCaipAddress) void fetchNativeBalance(hawser)
    }),
    followOtherTabs(hawser),
    discoverConnectors(hawser, factories, (connector) => void reconnectFound(hawser, connector)),
  ]
  void reconnect(hawser)
  return () => {
    for (const stop of stops) stop()
    hawser.timers.cancel('reconnect')
  }
}

/** The visitor is back on the network they left; a connected wallet's own network wins afterwards. */
function restoreNetwork(hawser: Hawser): void {
  const network = requestedNetwork(hawser, hawser.storage.read<CaipNetworkId>(items.activeNetworkId))
  if (network && hawser.sessions.size === 0) setActiveNetwork(hawser, network)
}
