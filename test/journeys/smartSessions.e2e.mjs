import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { parseEther } from 'viem'
import { assertAccessible } from '../kit/accessibility.mjs'
import { devnet } from '../kit/chain.mjs'
import { logIn, newEmail, walletFrame } from '../kit/embedded.mjs'
import { eventually } from '../kit/eventually.mjs'
import { mainJourney } from '../kit/journey.mjs'
import { press } from '../kit/press.mjs'

/** Account of the shop that sells coffee in the lab. */
const SHOP = '0x00000000000000000000000000000000C0Ffee00'

/** A visitor without a wallet, whose page shows what the gateway refuses. */
const visitor = {
  query: '?devWallet=0',
  wallets: () => [],
  expectedErrors: /the server responded with a status of 4\d\d/,
}

describe('a site with an allowance', () => {
  mainJourney(
    'spends it without the wallet, no more than was granted, until it is revoked',
    visitor,
    async (scene) => {
      const { page, modal } = scene
      await logIn(scene, newEmail())
      const text = await modal.find('w3m-address').textContent()
      const address = /** @type {`0x${string}`} */ (/0x[0-9a-f]{40}/i.exec(text ?? '')?.[0])
      await devnet.setBalance(address, parseEther('2'))
      const frame = walletFrame(page)

      await page.getByTestId('coffee-grant-button').click()
      await modal.shows('ApproveTransaction')
      const limit = frame.getByLabel('Spending limit in ETH, every day')
      assert.equal(await limit.inputValue(), '0.01')
      await limit.fill('0.02')
      await frame.getByText('You can lower a limit, but not raise it.').waitFor()
      await limit.fill('0.005')
      await press(frame.getByRole('button', { name: 'Allow' }))
      await modal.shows('SmartSessionCreated')
      await assertAccessible(page)
      await modal.press('smart-session-done-button')
      await modal.isClosed()

      const before = await devnet.balance(SHOP)
      await page.getByTestId('coffee-buy-button').click()
      await page.getByTestId('coffee-paid').waitFor()
      assert.equal((await devnet.balance(SHOP)) - before, parseEther('0.003'))

      await page.getByTestId('coffee-buy-button').click()
      await page.getByTestId('coffee-error').getByText('transfer-amount-exceeded').waitFor()
      assert.equal((await devnet.balance(SHOP)) - before, parseEther('0.003'))

      await modal.openAccount()
      await modal.press('account-settings-button')
      await modal.press('w3m-header-smart-sessions')
      await modal.press('smart-sessions-show-button')
      await modal.shows('ApproveTransaction')
      await press(frame.getByRole('button', { name: 'Approve' }))
      await modal.shows('SmartSessionList')
      const row = modal.card.locator('[data-testid^=smart-session-][data-status=active]')
      await row.getByRole('button').first().click()
      await modal.find('smart-session-spent').getByText('0.003 ETH of 0.005 ETH').waitFor()
      await assertAccessible(page)

      await modal.press('smart-session-revoke-button')
      await modal.shows('ApproveTransaction')
      await press(frame.getByRole('button', { name: 'Approve' }))
      await modal.shows('SmartSessionList')
      await modal.card.getByText('No active sessions').waitFor()
      await modal.card.getByRole('tab', { name: 'Revoked' }).click()
      await modal.card.locator('[data-testid^=smart-session-][data-status=revoked]').waitFor()

      await page.keyboard.press('Escape')
      await modal.isClosed()
      await page.getByTestId('coffee-buy-button').click()
      await page.getByTestId('coffee-error').getByText('Permission is revoked').waitFor()
      await eventually(async () => assert.equal((await devnet.balance(SHOP)) - before, parseEther('0.003')))
    },
  )
})
