import { createNames } from '@hawser/client/names'
import type { Hawser } from '../types/hawser.ts'
import { identityPicture } from './picture.ts'

/**
 * Asks for the picture of any account.
 *
 * @returns a URL on the gateway or a data URL; undefined when the name has no picture, or one at another host.
 * @throws the errors of the REST client.
 */
export async function readPicture(
  hawser: Hawser,
  address: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  return identityPicture(hawser, await createNames(hawser.client).identity(address, { signal }))
}
