import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { eventually } from '../kit/eventually.mjs'
import { journey } from '../kit/journey.mjs'
import { walletOf } from '../kit/wallets.mjs'

const pairing = { query: '?pairing=1&devWallet=0', wallets: () => [] }
const publicPairing = { ...pairing, query: `${pairing.query}&publicRelay=1` }
const tiles = '[data-testid^=wallet-search-item]'

describe('the wallet directory', () => {
  journey('is read as it is scrolled, forty wallets at a time', publicPairing, async ({ page, modal }) => {
    /** @type {URLSearchParams[]} */
    const queries = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/getWallets') queries.push(searchParams)
    })
    await modal.connectButton.click()
    await modal.press('all-wallets')
    await page.locator(tiles).first().waitFor()
    await eventually(async () => assert.ok((await page.locator(tiles).count()) >= 40))
    await page.locator(tiles).last().scrollIntoViewIfNeeded()
    await eventually(async () => assert.ok((await page.locator(tiles).count()) >= 50))
    const pages = queries.filter((query) => query.get('entries') === '40').map((query) => query.get('page'))
    assert.deepEqual(pages, ['1', '2'])
  })

  journey('lists the wallets that this site reaches', pairing, async ({ page, modal }) => {
    await modal.connectButton.click()
    await modal.press('all-wallets')
    await page.locator(tiles).first().waitFor()
    const names = await page
      .locator(tiles)
      .evaluateAll((found) => found.map((tile) => tile.getAttribute('title')))
    assert.ok(names.includes('Coinbase Wallet'))
    assert.ok(!names.includes('Ledger'))
  })

  journey('finds a wallet by name', pairing, async ({ page, modal }) => {
    await modal.connectButton.click()
    await modal.press('all-wallets')
    await modal.find('wui-input-text').fill('rainb')
    await eventually(async () => assert.equal(await page.locator(tiles).count(), 1))
    await modal.find('wui-input-text').fill('no such wallet')
    await modal.find('no-wallet-found-text').waitFor()
  })

  journey('works with the keyboard alone', pairing, async ({ page, modal }) => {
    await modal.connectButton.click()
    await modal.press('all-wallets')
    await page.locator(tiles).first().waitFor()
    await page.keyboard.type('rainb')
    await eventually(async () => assert.equal(await page.locator(tiles).count(), 1))
    await page.keyboard.press('Enter')
    await modal.shows('ConnectingWalletConnect')
  })

  journey(
    'shows how to get a wallet that neither a relay of this site nor a link reaches',
    pairing,
    async ({ page, modal }) => {
      await modal.connectButton.click()
      await modal.press('all-wallets')
      await modal.find('wui-input-text').fill('rainb')
      await eventually(async () => assert.equal(await page.locator(tiles).count(), 1))
      await page.locator(tiles).first().click()
      await modal.find('pairing-unreachable').waitFor()
      assert.match((await modal.find('pairing-get').getAttribute('href')) ?? '', /^https:/)
      assert.equal(await modal.find('wui-qr-code').count(), 0)
    },
  )

  journey(
    'connects a wallet that is installed',
    {
      query: '?pairing=1',
      wallets: () => [walletOf({ account: 2, knownChains: [31337], rdns: 'io.rabby', name: 'Rabby Wallet' })],
    },
    async ({ page, modal }) => {
      await modal.connectButton.click()
      await modal.press('all-wallets')
      await modal.find('wui-input-text').fill('rabby')
      await eventually(async () => assert.equal(await page.locator(tiles).count(), 1))
      await page.locator(tiles).first().click()
      await modal.accountButton.waitFor()
    },
  )
})

describe('a code', () => {
  journey('is offered for four minutes, and copied', pairing, async ({ page, modal }) => {
    await modal.connectButton.click()
    await modal.press('wallet-selector-walletConnect')
    await modal.find('wui-qr-code').waitFor()
    await modal.press('copy-wc2-uri')
    await modal.says('Link copied')
    const uri = await page.evaluate(() => navigator.clipboard.readText())
    assert.match(uri, /^wc:[0-9a-f]{64}@2\?.*relay-protocol=irn/)
    assert.match(uri, /symKey=[0-9a-f]{64}/)
  })

  journey(
    'is what a site shows first that offers pairings alone',
    { query: '?basic=1' },
    async ({ modal }) => {
      await modal.connectButton.click()
      await modal.shows('ConnectingWalletConnectBasic')
      await modal.find('wui-qr-code').waitFor()
      await modal.press('all-wallets')
      await modal.shows('AllWallets')
    },
  )
})
