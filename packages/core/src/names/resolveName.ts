import { HttpError } from '@hawser/client'
import { createNames, type NameRecord } from '@hawser/client/names'
import { thrown } from '../errors/catalogue.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import { coinTypeOf } from './coinType.ts'
import { shownPicture } from './picture.ts'

/** Where a name leads on one network. */
export interface ResolvedName {
  readonly address: string
  readonly picture: string | undefined
}

/** EVM addresses without one of their own are those of Ethereum. */
const ETHEREUM_COIN_TYPE = 60

/**
 * Asks where a name leads on a network; nothing is cached, as what is sent there does not come back.
 *
 * @returns undefined when nobody has the name, or it leads nowhere on this network.
 * @throws Error "Error resolving name" when the gateway does not say.
 */
export async function resolveName(
  hawser: Hawser,
  name: string,
  network: Network,
  signal: AbortSignal,
): Promise<ResolvedName | undefined> {
  try {
    if (!(await hawser.servedChains.has(network.caipNetworkId))) throw new Error('The network is not served')
    const record = await createNames(hawser.client).lookup(name, signal)
    const address = record && addressOn(record, network)
    return address ? { address, picture: shownPicture(hawser, record.attributes.avatar) } : undefined
  } catch (error) {
    if (isNoSuchName(error)) return undefined
    throw new Error(thrown.nameResolutionFailed, { cause: error })
  }
}

function addressOn({ addresses }: NameRecord, { id }: Network): string | undefined {
  return (addresses[coinTypeOf(Number(id))] ?? addresses[ETHEREUM_COIN_TYPE])?.address
}

/** The gateway refuses names of zones that are not its own. */
function isNoSuchName(error: unknown): boolean {
  return error instanceof HttpError && (error.status === 400 || error.status === 404)
}
