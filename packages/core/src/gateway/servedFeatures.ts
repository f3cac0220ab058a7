import { alerts } from '../alert/alert.ts'
import { isNetworkServed, selectRequestedNetworks } from '../chain/selectors.ts'
import { offeredLogins } from '../embedded/logins.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipNetworkId } from '../types/network.ts'
import type { ServedFeatures } from '../types/servedFeatures.ts'
import { featuresClient } from './clients.ts'

/**
 * Reads what the gateway is configured with. It is requested once, and again only after a failure.
 *
 * @throws what a call throws (see `createTransport`).
 */
export async function readServedFeatures(hawser: Hawser): Promise<ServedFeatures> {
  const { gateway } = hawser
  gateway.features ??= request(hawser)
  const reading = gateway.features
  try {
    return await reading
  } catch (error) {
    if (gateway.features === reading) gateway.features = undefined
    throw error
  }
}

/**
 * Reports whether the gateway serves a chain.
 *
 * @throws what a call throws (see `createTransport`).
 */
export async function isServed(hawser: Hawser, id: CaipNetworkId): Promise<boolean> {
  const { chains = [] } = await readServedFeatures(hawser)
  return chains.includes(id)
}

async function request(hawser: Hawser): Promise<ServedFeatures> {
  const features = await featuresClient(hawser)
  const { chains, swapChains, onramp, logins, approvals } = await features.getFeatures({})
  const served: ServedFeatures = {
    chains: idsOf(chains),
    ...(swapChains && { swapChains: idsOf(swapChains) }),
    ...(onramp && { onrampProviders: onramp.providers }),
    ...(approvals !== undefined && { approvals }),
    ...(logins && { logins: { email: logins.email, socials: logins.socials } }),
  }
  hawser.served.setState(served)
  reportUnserved(hawser, served)
  return served
}

function idsOf(list: { chainIds: string[] } | undefined): readonly CaipNetworkId[] {
  return (list?.chainIds ?? []) as CaipNetworkId[]
}

/** Tells the developer of the site what it offers and the gateway does not serve, with the setting that is missing there. */
function reportUnserved(hawser: Hawser, served: ServedFeatures): void {
  const { debug } = hawser.options.getState()
  const unserved = selectRequestedNetworks(hawser.chain.getState())
    .filter((network) => !isNetworkServed(served, network))
    .map(({ caipNetworkId }) => caipNetworkId)
  if (unserved.length > 0) {
    console.error(
      `[hawser] The gateway does not serve ${unserved.join(', ')}: add a node of it to chains.nodes`,
    )
    if (debug) hawser.alert.setState({ message: alerts.networkNotFound.title, variant: 'error', open: true })
  }
  // A site that leaves the defaults has every feature on, so that this is no error.
  if (debug) for (const line of missingFeatures(hawser, served)) console.error(`[hawser] ${line}`)
}

function missingFeatures(
  hawser: Hawser,
  { onrampProviders, swapChains, logins, approvals }: ServedFeatures,
): string[] {
  const { features } = hawser.options.getState()
  const offered = offeredLogins(hawser.connectors.getState(), features, {})
  const social = offered.socials.filter((name) => logins && !logins.socials.includes(name))
  return [
    features.onramp &&
      onrampProviders?.length === 0 &&
      'Buying is not offered: set onramp.coinbase or onramp.meld',
    features.swaps && swapChains?.length === 0 && 'Swaps are not offered: add a network to convert.venues',
    features.access && approvals === false && 'Approvals are not listed: add peers.access',
    offered.email && logins?.email === false && 'Login by email is not offered: set wallet.mail.host',
    ...social.map((name) => `Login by ${name} is not offered: set wallet.social.${name}`),
  ].filter((line) => line !== false && line !== undefined)
}
