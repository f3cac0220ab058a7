import { messageData } from '@hawser/client'
import { namesClient } from '../gateway/clients.ts'
import type { Hawser } from '../types/hawser.ts'
import { identityPicture } from './picture.ts'

/**
 * Asks for the picture of any account.
 *
 * @returns a URL on the gateway or a data URL; undefined when the name has no picture, or one at another host.
 * @throws what a call throws (see `createTransport`).
 */
export async function readPicture(
  hawser: Hawser,
  address: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const identity = await (await namesClient(hawser)).getIdentity({ address }, { signal })
  return identityPicture(hawser, messageData(identity))
}
