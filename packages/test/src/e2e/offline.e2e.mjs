import { describe } from 'node:test'
import { journey } from './harness/journey.mjs'
import { site } from './harness/site.mjs'

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

/** @param {import('playwright-core').BrowserContext} context */
async function takeAway(context) {
  await context.route(`${site.gatewayUrl}/**`, (route) => route.abort('connectionrefused'))
}
