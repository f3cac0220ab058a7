import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { mainJourney } from '../kit/journey.mjs'

describe('receiving', () => {
  mainJourney(
    'shows the address as text and as a code, and copies it',
    {},
    async ({ page, modal, wallet }) => {
      await modal.connect(wallet)
      await modal.openAccount()
      await modal.press('wallet-features-receive-button')
      await modal.shows('WalletReceive')
      await modal.find('wui-qr-code').waitFor()
      await modal.press('receive-address-copy-button')
      await modal.says('Address copied')
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), wallet.address)
    },
  )
})
