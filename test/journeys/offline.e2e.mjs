import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { journey, mainJourney } from '../kit/journey.mjs'
import { site } from '../kit/site.mjs'

const lostPart = /ERR_CONNECTION_RESET|could not be loaded/
const expectedErrors = /ERR_CONNECTION_REFUSED|Failed to load resource/

/** Balances are not requested for 30 seconds after a failure; other lists are retried sooner. */
const COMES_BACK_MS = 45_000

/** Each list, what is pressed to reach it from the account, how it says that it is unavailable, and what it shows. */
const lists = /** @type {const} */ ([
  ['tokens', ['tab-tokens'], 'token-balance-error', 'token-tUSD'],
  ['NFTs', ['tab-nfts'], 'nfts-error', 'nfts'],
  ['transactions', ['tab-activity'], 'activity-error', 'activity'],
  ['names', ['account-settings-button', 'account-names-button'], 'names-error', 'names-empty'],
  [
    'tokens to send',
    ['wallet-features-send-button', 'send-select-token-button'],
    'token-balance-error',
    'send-token-tUSD',
  ],
  ['swaps', ['wallet-features-swaps-button'], 'swap-unreachable', 'swap-action-button'],
  [
    'tokens to buy',
    ['wallet-features-onramp-button', 'onramp-token-button'],
    'onramp-defaults',
    'onramp-token-tUSD-eip155:31337',
  ],
  [
    'purchases',
    ['wallet-features-onramp-button', 'onramp-activity-button'],
    'onramp-activity-error',
    'onramp-activity-empty',
  ],
])

describe('without the gateway', () => {
  journey(
    'the modal opens and a wallet connects',
    { expectedErrors },
    async ({ context, page, modal, wallet }) => {
      await takeAway(context)
      await page.reload()
      await modal.connect(wallet)
    },
  )

  mainJourney(
    'the account says that balances are unavailable',
    { expectedErrors },
    async ({ context, page, modal, wallet }) => {
      await takeAway(context)
      await page.reload()
      await modal.connect(wallet)
      await modal.openAccount()
      await modal.find('token-balance-error').waitFor()
      await modal.says('Token Balance Unavailable')
    },
  )
})

describe('without the gateway, the account', () => {
  journey(
    'shows the retry of its activity beside the toast about it',
    { expectedErrors, browser: { viewport: { width: 390, height: 844 } } },
    async ({ context, page, modal, wallet }) => {
      await takeAway(context)
      await page.reload()
      await modal.connect(wallet)
      await modal.openTab('activity')
      const retry = modal.find('activity-error').getByRole('button')
      await retry.scrollIntoViewIfNeeded()
      await modal.says('Failed to fetch transactions')
      const toast = await page.locator('.hw-dialog .hw-toast').boundingBox()
      const button = await retry.boundingBox()
      assert.ok(toast && button)
      assert.ok(
        toast.y + toast.height <= button.y || button.y + button.height <= toast.y,
        'the toast covers the retry',
      )
    },
  )
})

describe('without the gateway, no list looks empty', { concurrency: 4 }, () => {
  for (const [name, open, error, content] of lists) {
    journey(
      `${name} are unavailable, and load by themselves afterwards`,
      { expectedErrors },
      async ({ context, page, modal, wallet }) => {
        await takeAway(context)
        await page.reload()
        await modal.connect(wallet)
        await modal.openAccount()
        for (const step of open) await modal.press(step)
        await modal.find(error).waitFor()

        await giveBack(context)
        await modal.find(content).first().waitFor({ timeout: COMES_BACK_MS })
        assert.equal(await modal.find(error).count(), 0)
      },
    )
  }
})

describe('when a part of the page does not arrive', () => {
  const receiveView = /\/assets\/receive-[^/]*\.js(\?.*)?$/

  journey(
    'the modal says so, and loads it on another try',
    { expectedErrors: lostPart },
    async ({ context, page, modal, wallet }) => {
      await context.route(receiveView, (route) => route.abort('connectionreset'))
      await page.reload()
      await modal.connect(wallet)
      await modal.openAccount()
      await modal.press('wallet-features-receive-button')
      await modal.find('view-failure').waitFor()

      await context.unroute(receiveView)
      await modal.find('view-failure').getByRole('button', { name: 'Try again' }).click()
      await modal.find('wui-qr-code').waitFor()
    },
  )

  journey(
    'it loads from another URL, because browsers repeat the failure of the first',
    { expectedErrors: lostPart },
    async ({ context, page, modal, wallet }) => {
      await context.route(/\/receive-[^/?]*\.js$/, (route) => route.abort('connectionreset'))
      await page.reload()
      await modal.connect(wallet)
      await modal.openAccount()
      await modal.press('wallet-features-receive-button')
      await modal.find('wui-qr-code').waitFor()
      assert.equal(await modal.find('view-failure').count(), 0)
    },
  )

  journey(
    'the visitor may reload the site when another try fails',
    { expectedErrors: lostPart },
    async ({ context, page, modal, wallet }) => {
      await context.route(receiveView, (route) => route.abort('connectionreset'))
      await page.reload()
      await modal.connect(wallet)
      await modal.openAccount()
      await modal.press('wallet-features-receive-button')
      const failure = modal.find('view-failure')
      assert.equal(await failure.getByRole('button', { name: 'Reload the site' }).count(), 0)
      await failure.getByRole('button', { name: 'Try again' }).click()
      const reload = failure.getByRole('button', { name: 'Reload the site' })
      await reload.waitFor()

      await context.unroute(receiveView)
      await reload.click()
      await modal.openAccount()
      await modal.press('wallet-features-receive-button')
      await modal.find('wui-qr-code').waitFor()
    },
  )
})

/** @param {import('playwright-core').BrowserContext} context */
async function takeAway(context) {
  await context.route(`${site.gatewayUrl}/**`, (route) => route.abort('connectionrefused'))
}

/** @param {import('playwright-core').BrowserContext} context */
async function giveBack(context) {
  await context.unroute(`${site.gatewayUrl}/**`)
}
