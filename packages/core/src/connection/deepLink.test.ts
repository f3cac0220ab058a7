import { afterEach, expect, it, vi } from 'vitest'
import { openApp, pairingUrl, requestUrl } from './deepLink.ts'

const uri = 'wc:ab@2?relay-protocol=irn&symKey=cd'
const encoded = encodeURIComponent(uri)

it.each([
  ['rainbow://', `rainbow://wc?uri=${encoded}`],
  ['rainbow:', `rainbow://wc?uri=${encoded}`],
  ['https://wallet.test/', `https://wallet.test/wc?uri=${encoded}`],
  ['https://wallet.test/app', `https://wallet.test/app/wc?uri=${encoded}`],
  [
    'https://t.me/wallet/start?startapp=x',
    `https://t.me/wallet/start?startapp=${btoa(uri).replace(/=+$/, '')}`,
  ],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['wallet', undefined],
  ['', undefined],
])('hands a pairing to %s', (href, url) => {
  expect(pairingUrl(href, uri)).toBe(url)
})

it('names the request that waits in the app', () => {
  expect(requestUrl('rainbow://', { id: 7, topic: 'ab' })).toBe('rainbow://wc?requestId=7&sessionTopic=ab')
  expect(requestUrl('javascript:x', { id: 7, topic: 'ab' })).toBeUndefined()
})

afterEach(() => vi.unstubAllGlobals())

it.each([
  ['a web address', 'https://wallet.test/wc', false, false, '_blank'],
  ['a scheme', 'rainbow://wc', false, false, '_self'],
  ['a scheme, from a frame', 'rainbow://wc', true, false, '_top'],
  ['a scheme, in Telegram', 'rainbow://wc', false, true, '_blank'],
])('opens %s where the browser allows it', (_, url, isFramed, isTelegram, target) => {
  const open = vi.fn()
  const page: { open: typeof open; top?: unknown } = { open }
  page.top = isFramed ? {} : page
  vi.stubGlobal('window', page)
  if (isTelegram) vi.stubGlobal('TelegramWebviewProxy', {})
  openApp(url)
  expect(open).toHaveBeenCalledWith(url, target, 'noreferrer noopener')
})
