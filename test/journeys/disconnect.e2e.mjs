import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { assertAccessible } from '../kit/accessibility.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'

describe('disconnecting', () => {
  mainJourney('forgets the session, also after a reload', {}, async ({ page, modal, wallet }) => {
    await modal.connect(wallet)
    await disconnect(modal)
    assert.equal(wallet.grantedOrigins.size, 0, 'the wallet took its permission back')
    await page.reload()
    await modal.connectButton.waitFor()
    assert.equal(await modal.accountButton.count(), 0)
  })

  journey('ends the session in every tab', {}, async ({ page, modal, wallet, openTab }) => {
    await modal.connect(wallet)
    const second = await openTab()
    await second.modal.accountButton.waitFor()
    await page.bringToFront()
    await disconnect(modal)
    await second.modal.connectButton.waitFor()
  })

  journey(
    'is tried again when the wallet fails to',
    { query: '?fail=disconnect', wallets: () => [] },
    async ({ page, modal }) => {
      await modal.connectButton.click()
      await modal.press('wallet-selector-dev-wallet')
      await modal.accountButton.waitFor()
      await modal.isClosed()
      await modal.openAccount()
      await modal.press('account-settings-button')
      await modal.press('disconnect-button')
      await modal.says('Failed to disconnect')
      await modal.shows('Profile')
      await assertAccessible(page)
      await page.reload()
      await modal.accountButton.waitFor()
    },
  )

  journey('can connect again', {}, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await disconnect(modal)
    await modal.connect(wallet)
  })
})

/** @param {import('../kit/modal.mjs').Modal} modal */
async function disconnect(modal) {
  await modal.openAccount()
  await modal.press('account-settings-button')
  await modal.press('disconnect-button')
  await modal.isClosed()
  await modal.connectButton.waitFor()
}
