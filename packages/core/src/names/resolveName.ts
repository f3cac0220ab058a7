import { GatewayError, type ReasonName } from '@hawser/client'
import { thrown } from '../errors/thrown.ts'
import { namesClient } from '../gateway/clients.ts'
import { isServed } from '../gateway/servedFeatures.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import { coinTypesOn } from './coinType.ts'
import { normalName } from './normalName.ts'

/** The address of a name on a network, or why it has none. */
export type ResolvedAddress =
  | {
      readonly status: 'found'
      readonly address: string
      /** The name in its normal form. */
      readonly name: string
    }
  | { readonly status: 'unknownName' | 'noAddress'; readonly address: '' }

/**
 * Resolves a name on a network, by the coin types of `coinTypesOn`. Nothing is cached, because a payment cannot be undone.
 *
 * @returns `unknownName` for a name without a normal form (ENSIP-15), or not registered in a zone of the gateway; `noAddress` for every
 *   other name without an address. Of an ENS name that includes one that is not registered: the gateway answers both alike.
 * @throws Error "Error resolving name" when the gateway does not answer.
 */
export async function resolveName(
  hawser: Hawser,
  name: string,
  network: Network,
  signal: AbortSignal,
): Promise<ResolvedAddress> {
  try {
    if (!(await isServed(hawser, network.caipNetworkId))) throw new Error('The network is not served')
    const normal = await normalName(name)
    if (normal === undefined) return { status: 'unknownName', address: '' }
    let refusal: ReasonName | undefined
    for (const coinType of coinTypesOn(network)) {
      const answer = await addressOf(hawser, normal, coinType, signal)
      if (answer.address) return { status: 'found', address: answer.address, name: normal }
      refusal = answer.refusal
    }
    const isUnknown = refusal === 'NAME_INVALID' || (await isUnregistered(hawser, normal, signal))
    return { status: isUnknown ? 'unknownName' : 'noAddress', address: '' }
  } catch (error) {
    throw new Error(thrown.nameResolutionFailed, { cause: error })
  }
}

/** Refusals that mean that a name has no address; every other failure says nothing about the name. */
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
): Promise<{ address?: string; refusal?: ReasonName | undefined }> {
  try {
    const { address } = await (await namesClient(hawser)).resolveName({ name, coinType }, { signal })
    return { address }
  } catch (error) {
    if (error instanceof GatewayError && unresolvable.has(error.reason)) return { refusal: error.reason }
    throw error
  }
}

/** Reports whether a name of the gateway's zones is not registered; false for all other names, which it does not look up. */
async function isUnregistered(hawser: Hawser, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    await (await namesClient(hawser)).getName({ name }, { signal })
    return false
  } catch (error) {
    return error instanceof GatewayError && error.reason === 'NAME_ABSENT'
  }
}
