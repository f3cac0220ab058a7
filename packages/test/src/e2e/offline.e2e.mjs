import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { journey } from './harness/journey.mjs'
import { site } from './harness/site.mjs'

const lostPart = /ERR_CONNECTION_RESET|could not be loaded/
const expectedErrors = /ERR_CONNECTION_REFUSED|Failed to load resource/

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

  journey(
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

describe('when a part of the page does not arrive', () => {
  const receiveView = /\/assets\/WalletReceiveView-[^/]*\.js(\?.*)?$/

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
    'it loads from another URL, as where a browser keeps the failure of the first',
    { expectedErrors: lostPart },
    async ({ context, page, modal, wallet }) => {
      await context.route(/WalletReceiveView-[^/?]*\.js$/, (route) => route.abort('connectionreset'))
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
