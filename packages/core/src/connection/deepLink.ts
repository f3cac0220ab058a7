import { items } from '../storage/items.ts'
import type { DeepLink, WaitingRequest } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import { watchSilence } from './silence.ts'

/** Schemes that run code or open a file instead of an app. */
const unsafeSchemes = /^(javascript|data|vbscript|file|blob|about|view-source):/i

/** Returns the link of the app that the connected wallet was paired with; undefined if it was paired by a QR code. */
function storedDeepLink({ storage }: Hawser): DeepLink | undefined {
  const stored = storage.read<Partial<DeepLink> | null>(items.deepLink)
  return typeof stored?.href === 'string' && typeof stored.name === 'string'
    ? (stored as DeepLink)
    : undefined
}

/**
 * Opens the app of a wallet that was paired by a deep link, for a request that waits there. Does nothing while the
 * page is in the background: the browser would block it. Asks for it while the page of a hand-off does not answer.
 */
export function openLinkedWallet(hawser: Hawser, request: WaitingRequest): void {
  watchSilence(hawser, request)
  const url = document.hasFocus() && requestUrl(storedDeepLink(hawser)?.href ?? '', request)
  if (url) openApp(url)
}

/** Returns the URL that shows a request in a wallet's app; undefined if `href` is not a link that may be opened. */
export function requestUrl(href: string, { id, topic }: { id: number; topic: string }): string | undefined {
  const query = `requestId=${id}&sessionTopic=${topic}`
  const base = linkBase(href)
  return base && (isTelegram(base) ? startApp(base, query) : `${base}/wc?${query}`)
}

/** Returns the URL that opens a wallet's app with a pairing; undefined if `href` is not a link that may be opened. */
export function pairingUrl(href: string, uri: string): string | undefined {
  const base = linkBase(href)
  return base && (isTelegram(base) ? startApp(base, uri) : `${base}/wc?uri=${encodeURIComponent(uri)}`)
}

/**
 * Opens a wallet's app: web addresses in a new tab, other schemes in this one, and from a frame in the top window. The
 * browser inside Telegram opens every link in a new tab.
 */
export function openApp(url: string): void {
  const isWeb = /^https?:/.test(url) || isInTelegram()
  window.open(url, isWeb ? '_blank' : window.top === window ? '_self' : '_top', 'noreferrer noopener')
}

/** Returns a link with a scheme of an app; undefined for one of a web address, and for one that may not be opened. */
export function appLink(href: string | undefined): string | undefined {
  return href && /^[a-z][a-z0-9+.-]*:\/\//i.test(href) && !/^https?:/i.test(href) && !unsafeSchemes.test(href)
    ? href
    : undefined
}

/** Returns a link without its last slash: `https://wallet.example`, `wallet:/` or `wallet://host`. */
function linkBase(href: string): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)
  if (!scheme || unsafeSchemes.test(href)) return undefined
  const base = href.replace(/\/+$/, '')
  return base.endsWith(':') ? `${base}/` : base
}

/** Reports whether the page is open in Telegram, whose browser says so by objects of its own. */
export function isInTelegram(): boolean {
  return ['TelegramWebviewProxy', 'TelegramWebviewProxyProto', 'Telegram'].some((name) => name in globalThis)
}

function isTelegram(base: string): boolean {
  return /^https:\/\/t\.me\//.test(base)
}

/** Telegram hands the parameter `startapp` to a mini app: base64 in the URL alphabet, without padding. */
function startApp(base: string, parameter: string): string {
  const encoded = btoa(parameter).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
  return `${base.replace(/[?&]startapp=.*$/, '')}?startapp=${encoded}`
}
