import { alerts } from '../alert/alert.ts'
import { selectRequestedNetworks } from '../chain/selectors.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipNetworkId } from '../types/network.ts'
import { chainsClient } from './clients.ts'

/**
 * Reports whether the gateway serves a chain. The list is requested once, and again only after a failure.
 *
 * @throws what a call throws (see `createTransport`).
 */
export async function isServed(hawser: Hawser, id: CaipNetworkId): Promise<boolean> {
  const { gateway } = hawser
  gateway.served ??= readServed(hawser)
  const reading = gateway.served
  try {
    return (await reading).includes(id)
  } catch (error) {
    if (gateway.served === reading) gateway.served = undefined
    throw error
  }
}

async function readServed(hawser: Hawser): Promise<readonly string[]> {
  const { http } = await (await chainsClient(hawser)).listSupportedChains({})
  reportUnserved(hawser, http)
  return http
}

/** Tells the developer of the site which of its networks the gateway does not serve, and what is missing there. */
function reportUnserved(hawser: Hawser, served: readonly string[]): void {
  const unserved = selectRequestedNetworks(hawser.chain.getState())
    .filter(
      ({ chainNamespace, caipNetworkId }) => chainNamespace !== 'bip122' && !served.includes(caipNetworkId),
    )
    .map(({ caipNetworkId }) => caipNetworkId)
  if (unserved.length === 0) return
  console.error(
    `[hawser] The gateway does not serve ${unserved.join(', ')}: add a node of it to chains.nodes`,
  )
  if (hawser.options.getState().debug)
    hawser.alert.setState({ message: alerts.networkNotFound.title, variant: 'error', open: true })
}
