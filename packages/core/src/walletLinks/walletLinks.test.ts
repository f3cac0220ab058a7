import { describe, expect, it } from 'vitest'
import { createKit } from '../testing/kit.ts'
import type { WalletLink } from '../types/walletLink.ts'
import {
  continueInWalletUrl,
  defaultWalletLinks,
  installUrl,
  openInWalletUrl,
  withoutArrival,
} from './walletLinks.ts'

const page = 'https://shop.test/cart?item=1&size=$&#pay'
const link: WalletLink = { rdns: 'org.example', name: 'Example', download: 'https://example.test/get' }

describe('the link that opens a page in a wallet', () => {
  it.each([
    ['io.metamask', 'https://link.metamask.io/dapp/shop.test/cart?item=1&size=$&#pay'],
    [
      'com.coinbase.wallet',
      'https://go.cb-w.com/dapp?cb_url=https%3A%2F%2Fshop.test%2Fcart%3Fitem%3D1%26size%3D%24%26%23pay',
    ],
    [
      'com.trustwallet.app',
      'https://link.trustwallet.com/open_url?coin_id=60&url=https%3A%2F%2Fshop.test%2Fcart%3Fitem%3D1%26size%3D%24%26%23pay',
    ],
    ['me.rainbow', undefined],
  ])('of %s is the documented one', (rdns, url) => {
    const known = defaultWalletLinks.find((candidate) => candidate.rdns === rdns)
    expect(known && openInWalletUrl(known, page)).toBe(url)
  })
})

describe('the link that continues this page in a wallet', () => {
  it.each([
    ['https://a.test/', 'https://a.test/?hawser-connect=1'],
    ['https://a.test/x?size=$&b=%20+#top', 'https://a.test/x?size=$&b=%20+&hawser-connect=1#top'],
  ])('has a parameter beside those of the site: %s', (page, marked) => {
    const open = 'https://b.test/?u={page}'
    expect(continueInWalletUrl({ open }, page)).toBe(`https://b.test/?u=${marked}`)
    expect(continueInWalletUrl({ open }, marked)).toBe(`https://b.test/?u=${marked}`)
    expect(withoutArrival(marked)).toBe(page)
  })

  it('leaves the parameters around it', () => {
    expect(withoutArrival('https://a.test/?hawser-connect=1&b=2')).toBe('https://a.test/?b=2')
    expect(withoutArrival('https://a.test/?a=1&hawser-connect=1&b=2')).toBe('https://a.test/?a=1&b=2')
  })
})

describe('the page to install a wallet from', () => {
  it('is the store of the browser, or else the download page', () => {
    const listed = { ...link, extensions: { firefox: 'https://store.test/firefox' } }
    expect(installUrl(listed, 'firefox')).toBe('https://store.test/firefox')
    expect(installUrl(listed, 'chrome')).toBe('https://example.test/get')
    expect(installUrl(link, undefined)).toBe('https://example.test/get')
  })

  it('is https for every wallet that is known', () => {
    for (const { download, extensions = {}, open = 'https://' } of defaultWalletLinks) {
      for (const url of [download, open, ...Object.values(extensions)]) expect(url).toMatch(/^https:\/\//)
    }
  })
})

it('are those of the site when it names some', () => {
  expect(createKit().hawser.options.getState().walletLinks).toBeUndefined()
  expect(createKit({ walletLinks: [link] }).hawser.options.getState().walletLinks).toEqual([link])
})

describe('the placeholders of a link', () => {
  const page = 'https://a.test/zürich?to={url}&b=1#top'
  const href = 'https://a.test/z%C3%BCrich?to=%7Burl%7D&b=1#top'
  const encoded = encodeURIComponent(href)

  it.each([
    ['https://b.test/{url}?ref={ref}', `https://b.test/${encoded}?ref=https%3A%2F%2Fa.test`],
    ['https://b.test/{location}', `https://b.test/${href.slice('https://'.length)}`],
    ['https://b.test/?u={page}', `https://b.test/?u=${href}`],
    ['https://b.test/{url}?again={url}', `https://b.test/${encoded}?again=${encoded}`],
    [
      'https://b.test/?l={encode:b://open?u={url}}',
      `https://b.test/?l=${encodeURIComponent(`b://open?u=${encoded}`)}`,
    ],
    [
      'https://b.test/?l={base64:b://open?q={base64:u={page}&c=1}}',
      `https://b.test/?l=${btoa(`b://open?q=${btoa(`u=${href}&c=1`)}`)}`,
    ],
    ['https://b.test/{unknown}/{rot13:{ref}}', 'https://b.test/{unknown}/{rot13:https%3A%2F%2Fa.test}'],
  ])('%s are filled in', (open, url) => {
    expect(openInWalletUrl({ open }, page)).toBe(url)
  })
})
