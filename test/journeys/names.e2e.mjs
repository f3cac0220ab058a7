import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { generatePrivateKey } from 'viem/accounts'
import { assertAccessible } from '../kit/accessibility.mjs'
import { devnet } from '../kit/chain.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'
import { site } from '../kit/site.mjs'
import { walletOf } from '../kit/wallets.mjs'

/** It is not registered before this run. */
const label = `e2e-${Date.now().toString(36)}`

/** Returns an account without a name, and one with funds beside it. */
const unnamedWallets = () => {
  const funded = site.devnet.accounts.slice(5, 6).map(({ privateKey }) => privateKey)
  return [walletOf({ privateKeys: [generatePrivateKey(), ...funded] })]
}

describe('a name', () => {
  mainJourney(
    'is registered, shown, and sent to by another account',
    { wallets: unnamedWallets },
    async ({ modal, wallet, page }) => {
      const name = `${label}.hawser.id`
      await modal.connect(wallet)
      await modal.openNames()
      await modal.find('wui-ens-input').fill(label.toUpperCase())
      await modal.find('name-hint').getByText('This name is available').waitFor()

      const prompt = wallet.approvals.holdNext()
      await modal.press('name-register-button')
      await modal.shows('RegisterAccountNameSuccess')
      await prompt.opened
      await modal.card.getByText('Sign in your wallet', { exact: true }).waitFor()
      prompt.approve()
      await modal.card.getByText('Account name chosen successfully', { exact: true }).waitFor()
      await modal.press('name-go-button')
      await modal.shows('Account')
      await modal.find('account-settings-address').getByText(name).waitFor()
      await modal.accountButton.getByText(name).waitFor()
      const owner = wallet.address

      await page.reload()
      await modal.accountButton.getByText(name).waitFor()

      wallet.switchAccount(1)
      await modal.accountButton.getByText(name).waitFor({ state: 'detached' })
      const before = await devnet.balance(owner)
      await modal.prepareSend({ symbol: 'ETH', amount: '0.25', to: name })
      await page.locator('[data-view="WalletSendPreview"]').getByText(owner, { exact: true }).waitFor()
      await modal.press('send-confirm-button')
      await modal.isSent()
      await eventually(async () =>
        assert.equal(await devnet.balance(owner), before + 250_000_000_000_000_000n),
      )
    },
  )

  journey(
    'that is registered cannot be registered again',
    { wallets: unnamedWallets },
    async ({ modal, wallet }) => {
      await modal.connect(wallet)
      await modal.openNames()
      await modal.find('wui-ens-input').fill(label)
      await modal.find('account-name-suggestion').getByText('Registered').waitFor()
      assert.equal(await modal.find('name-register-button').isEnabled(), false)
      await modal.find('account-name-suggestion').getByText('Available').first().click()
      await modal.card.getByText('Account name chosen successfully', { exact: true }).waitFor()
    },
  )

  journey(
    'is read whole before it is chosen and signed, on a phone too',
    { wallets: unnamedWallets, browser: { viewport: { width: 390, height: 844 } } },
    async ({ modal, wallet }) => {
      const isCut = (/** @type {any} */ text) =>
        text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight
      await modal.connect(wallet)
      await modal.openNames()
      await modal.find('wui-ens-input').fill(`${label}-who-sails-far`)
      const row = modal.find('account-name-suggestion').locator('.hw-row-title')
      await row.getByText(`${label}-who-sails-far.hawser.id`).waitFor()
      assert.equal(await row.evaluate(isCut), false)
      const prompt = wallet.approvals.holdNext()
      await modal.press('name-register-button')
      await prompt.opened
      assert.equal(await modal.find('registered-name').evaluate(isCut), false)
      await modal.press('name-stop-button')
      await modal.shows('RegisterAccountName')
    },
  )

  journey(
    'is not registered when the wallet declines',
    { wallets: unnamedWallets },
    async ({ modal, wallet }) => {
      await modal.connect(wallet)
      await modal.openNames()
      await modal.find('wui-ens-input').fill(`${label}-no`)
      await modal.find('name-hint').getByText('This name is available').waitFor()
      wallet.approvals.rejectNext()
      await modal.press('name-register-button')
      await modal.says('Signature declined')
      await modal.shows('RegisterAccountName')
      assert.equal(await modal.find('wui-ens-input').inputValue(), `${label}-no`)
      const lookup = new URL(`/v1/profile/account/${label}-no.hawser.id`, site.gatewayUrl)
      lookup.searchParams.set('projectId', site.projectId)
      assert.equal((await fetch(lookup)).status, 404)
    },
  )

  journey(
    'that is not registered is sent nothing',
    { account: 7, expectedErrors: /status of 404/ },
    async ({ modal, wallet }) => {
      await modal.connect(wallet)
      await modal.openAccount()
      await modal.press('wallet-features-send-button')
      await modal.chooseToken('ETH')
      await modal.find('send-amount-input').fill('0.1')
      await modal.find('send-address-input').fill('e2e-nobody.hawser.id')
      await modal.find('send-address-outcome').getByText('Name not found').waitFor()
      await modal.sendButtonSays('Invalid address')
    },
  )
})

journey(
  `axe finds nothing in the form of a new name`,
  { wallets: unnamedWallets },
  async ({ page, modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openNames()
    await assertAccessible(page)
    for (const [typed, hint] of [
      ['e2e_no', 'Can only contain letters, numbers and - characters'],
      ['hawser', 'This name is reserved'],
      [label, 'This name is taken'],
      [`${label}-new`, 'This name is available'],
    ]) {
      await modal.find('wui-ens-input').fill(String(typed))
      await modal.find('name-hint').getByText(String(hint)).waitFor()
      await assertAccessible(page)
    }
    const prompt = wallet.approvals.holdNext()
    await modal.press('name-register-button')
    await prompt.opened
    await modal.card.getByText('Sign in your wallet', { exact: true }).waitFor()
    await assertAccessible(page)
    prompt.reject()
    await modal.shows('RegisterAccountName')
    await assertAccessible(page)
  },
)
