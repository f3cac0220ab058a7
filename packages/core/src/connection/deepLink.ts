import { items } from '../storage/items.ts'
import type { DeepLink } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'

/** The link that opens the app of the connected wallet; undefined if it was paired by a QR code. */
export function storedDeepLink({ storage }: Hawser): DeepLink | undefined {
  const stored = storage.read<Partial<DeepLink>>(items.deepLink)
  return typeof stored?.href === 'string' && typeof stored.name === 'string'
    ? (stored as DeepLink)
    : undefined
}

/**
 * Opens the app of a wallet that was paired by a deep link, for a request that waits there. Does nothing while the
 * page is in the background: the browser would block it.
 */
export function openLinkedWallet(hawser: Hawser, request: { id: number; topic: string }): void {
  const link = storedDeepLink(hawser)
  if (!link || !document.hasFocus()) return
  openApp(requestUrl(link.href, request))
}

/** Returns the URL that shows a request in a wallet's app; Telegram's mini apps take it as a `startapp` parameter. */
export function requestUrl(href: string, { id, topic }: { id: number; topic: string }): string {
  const query = `requestId=${id}&sessionTopic=${topic}`
  const base = href.replace(/\/+$/, '')
  if (!isTelegramLink(base)) return `${base}/wc?${query}`
  return `${base.replace(/[?&]startapp=.*$/, '')}?startapp=${base64Url(query)}`
}

/** Returns the URL that hands a pairing to a wallet's app. */
export function pairingUrl(href: string, uri: string): string {
  const base = href.includes('://') ? href.replace(/\/+$/, '') : `${href.replace(/[/:]/g, '')}:/`
  if (isTelegramLink(base)) return `${base.replace(/[?&]startapp=.*$/, '')}?startapp=${base64Url(uri)}`
  return `${base}/wc?uri=${encodeURIComponent(uri)}`
}

/** Opens a wallet's app: web addresses in a new tab, other schemes in this one, and from a frame in the top window. */
export function openApp(url: string): void {
  const isWeb = /^https?:/.test(url)
  window.open(url, isWeb ? '_blank' : window.top === window ? '_self' : '_top', 'noreferrer noopener')
}

function isTelegramLink(href: string): boolean {
  return /^https:\/\/t\.me\//.test(href)
}

/** Base64 of ASCII text in the URL alphabet, without padding. */
function base64Url(text: string): string {
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}
