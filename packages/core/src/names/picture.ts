import { type MessageData, messageData } from '@hawser/client'
import type { GetIdentityResponse } from '@hawser/client/names'
import { namesClient } from '../gateway/clients.ts'
import type { Hawser } from '../types/hawser.ts'

/** An account's name, the URL of its picture, and the path of the picture at the gateway. */
export type Identity = Pick<MessageData<GetIdentityResponse>, 'name' | 'avatar' | 'picture'>

/**
 * Returns the URL of the account's picture at the gateway; or else of the picture itself, if the page may show it.
 */
export function identityPicture(hawser: Hawser, { avatar, picture }: Identity): string | undefined {
  if (!picture) return shownPicture(hawser, avatar)
  const { baseUrl, projectId } = hawser.options.getState()
  const url = baseUrl.replace(/\/+$/, '') + picture
  return shownPicture(hawser, `${url}${url.includes('?') ? '&' : '?'}projectId=${projectId}`)
}

/**
 * Returns a picture that the page may show: from the gateway, or a data URL. Other hosts would learn which
 * accounts a visitor looks at.
 */
function shownPicture(hawser: Hawser, url: string | undefined): string | undefined {
  if (!url) return undefined
  if (url.startsWith('data:image/')) return url
  return originOf(url) === originOf(hawser.options.getState().baseUrl) ? url : undefined
}

function originOf(url: string): string | undefined {
  try {
    const { protocol, origin } = new URL(url)
    return protocol === 'https:' || protocol === 'http:' ? origin : undefined
  } catch {
    return undefined
  }
}

/**
 * Requests the picture of any account.
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
