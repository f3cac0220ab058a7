import { GatewayError, type ReasonName } from '@hawser/client'
import { thrown } from '../errors/thrown.ts'
import { namesClient } from '../gateway/clients.ts'
import { isServed } from '../gateway/servedChains.ts'
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
  const coinType = coinTypeOf(Number(network.id))
  try {
    if (!(await isServed(hawser, network.caipNetworkId))) throw new Error('The network is not served')
    const address =
      (await addressOf(hawser, name, coinType, signal)) ??
      (coinType === ETHEREUM_COIN_TYPE
        ? undefined
        : await addressOf(hawser, name, ETHEREUM_COIN_TYPE, signal))
    if (address) return { status: 'found', address }
    return { status: (await isRegistered(hawser, name, signal)) ? 'noAddress' : 'unknownName', address: '' }
  } catch (error) {
    throw new Error(thrown.nameResolutionFailed, { cause: error })
  }
}

/** Refusals that say that a name leads nowhere; every other failure says nothing of the name. */
const unresolvable: ReadonlySet<ReasonName | undefined> = new Set([
  'NAME_ABSENT',
  'NAME_INVALID',
  'COIN_TYPE_UNSUPPORTED',
])

async function addressOf(
  hawser: Hawser,
  name: string,
  coinType: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { address } = await (await namesClient(hawser)).resolveName({ name, coinType }, { signal })
    return address
  } catch (error) {
    if (error instanceof GatewayError && unresolvable.has(error.reason)) return undefined
    throw error
  }
}

/** Reports whether the gateway has registered a name; it refuses to look up one outside its zones. */
async function isRegistered(hawser: Hawser, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await (await namesClient(hawser)).getName({ name }, { signal })).name !== undefined
  } catch {
    return false
  }
}
