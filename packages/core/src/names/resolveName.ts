import { createNames } from '@hawser/client/names'
import { thrown } from '../errors/thrown.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import { coinTypeOf, ETHEREUM_COIN_TYPE } from './coinType.ts'

/** The address of a name on a network, or why it has none. */
export type ResolvedAddress =
  | { readonly status: 'found'; readonly address: string }
  | { readonly status: 'unknownName' | 'noAddress'; readonly address: '' }

/**
 * Resolves a name on a network: by the coin type of the network itself, or else by that of Ethereum, whose addresses
 * count on every EVM network that has none of its own. Nothing is cached, as a payment cannot be undone.
 *
 * @returns `noAddress` for a name of the gateway's zones that is registered and has addresses of other networks alone.
 * @throws Error "Error resolving name" when the gateway does not answer.
 */
export async function resolveName(
  hawser: Hawser,
  name: string,
  network: Network,
  signal: AbortSignal,
): Promise<ResolvedAddress> {
  const { lookup, resolve } = createNames(hawser.client)
  const coinType = coinTypeOf(Number(network.id))
  try {
    if (!(await hawser.servedChains.has(network.caipNetworkId))) throw new Error('The network is not served')
    const found =
      (await resolve(name, coinType, signal)) ??
      (coinType === ETHEREUM_COIN_TYPE ? undefined : await resolve(name, ETHEREUM_COIN_TYPE, signal))
    if (found) return { status: 'found', address: found.address }
    // The gateway refuses to look up a name outside its zones.
    const record = await lookup(name, signal).catch(() => undefined)
    return { status: record ? 'noAddress' : 'unknownName', address: '' }
  } catch (error) {
    throw new Error(thrown.nameResolutionFailed, { cause: error })
  }
}
