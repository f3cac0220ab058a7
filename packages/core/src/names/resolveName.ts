import { createNames } from '@hawser/client/names'
import { thrown } from '../errors/thrown.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import { coinTypeOf, ETHEREUM_COIN_TYPE } from './coinType.ts'

/**
 * Asks where a name of anyone leads on a network: there itself, or else on Ethereum, whose addresses count on every EVM
 * network that has none of its own. Nothing is cached, as what is sent there does not come back.
 *
 * @returns undefined when nobody has the name, or it leads nowhere on this network.
 * @throws Error "Error resolving name" when the gateway does not say.
 */
export async function resolveName(
  hawser: Hawser,
  name: string,
  network: Network,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { resolve } = createNames(hawser.client)
  const coinType = coinTypeOf(Number(network.id))
  try {
    if (!(await hawser.servedChains.has(network.caipNetworkId))) throw new Error('The network is not served')
    const here = await resolve(name, coinType, signal)
    if (here || coinType === ETHEREUM_COIN_TYPE) return here?.address
    return (await resolve(name, ETHEREUM_COIN_TYPE, signal))?.address
  } catch (error) {
    throw new Error(thrown.nameResolutionFailed, { cause: error })
  }
}
