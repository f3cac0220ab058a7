import { expect, it } from 'vitest'
import { pairingUrl, requestUrl } from './deepLink.ts'

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
