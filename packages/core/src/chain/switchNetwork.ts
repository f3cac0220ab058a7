import { raiseAlert } from '../alert/alert.ts'
import { thrown } from '../errors/thrown.ts'
import { SwitchNetworkError } from '../errors/walletErrors.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import { setActiveNetwork } from './activeNetwork.ts'
import { adapterOf, hasAdapter } from './adapters.ts'
import { requestedNetwork } from './requestedNetworks.ts'

/**
 * Switches to `network`, through the wallet when one is connected.
 *
 * @throws SwitchNetworkError when the wallet refuses; the active network stays as it was. Error "Network not found"
 *   for one that the site does not list, unless it allows such networks.
 */
export async function switchNetwork(hawser: Hawser, { network }: { network: Network }): Promise<void> {
  requireListed(hawser, network)
  const session = hawser.sessions.get(network.chainNamespace)
  if (session) {
    if (!hasAdapter(hawser, network.chainNamespace)) throw new Error(thrown.networkClientNotSet)
    const adapter = await adapterOf(hawser, network.chainNamespace)
    try {
      await adapter.switchNetwork?.(session, withGatewayUrl(hawser, network))
    } catch (error) {
      throw new SwitchNetworkError(error)
    }
    if (hawser.sessions.get(network.chainNamespace)?.unwatch !== session.unwatch) return
  }
  setActiveNetwork(hawser, network)
  hawser.events.emit({ event: 'SWITCH_NETWORK', properties: { network: network.caipNetworkId } })
  hawser.report({ kind: 'networkSwitched' })
}

/** @throws Error "Network not found". */
function requireListed(hawser: Hawser, { caipNetworkId }: Network): void {
  if (hawser.options.getState().allowUnsupportedChain || requestedNetwork(hawser, caipNetworkId)) return
  raiseAlert(hawser, 'networkNotFound')
  throw new Error(thrown.networkNotFound)
}

/** Adds the gateway's JSON-RPC URL to a network that names no node, for wallets that do not know the chain. */
function withGatewayUrl(hawser: Hawser, network: Network): Network {
  if (network.rpcUrls.default.http.length > 0) return network
  return { ...network, rpcUrls: { default: { http: [hawser.client.rpcUrl(network.caipNetworkId)] } } }
}
