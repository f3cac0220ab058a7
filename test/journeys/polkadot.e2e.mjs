import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { assertAccessible } from '../kit/accessibility.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'
import { dotChain, freshPolkadotAddress } from '../kit/polkadot.mjs'

/** @typedef {import('../kit/journey.mjs').Scene} Scene */

const DOT = 10_000_000_000n

/** A page polls for the outcome of a transfer at intervals of up to ten seconds, and blocks take seconds to become final. */
const PATIENCE = 20_000

/** @param {number} group of three development accounts, the first of which is active */
const withAccounts = (group) => ({
  query: `?namespaces=eip155,polkadot&polkadotAccount=${group}`,
  wallets: () => [],
})

/** @param {number} group */
const firstOf = (group) => dotChain.account(3 * group).address

/**
 * Connects the Dev wallet on Polkadot, which it has beside EVM chains.
 *
 * @param {Scene} scene
 */
async function connect({ modal }) {
  await modal.connectButton.click()
  await modal.press('wallet-selector-dev-wallet')
  await modal.shows('ConnectingMultiChain')
  await modal.press('select-chain-polkadot')
  await modal.press('dev-approval-confirm')
  await modal.accountButton.waitFor()
  await modal.isClosed()
}

/**
 * @param {bigint} plancks
 * @returns {string} in DOT
 */
function decimal(plancks) {
  const digits = plancks.toString().padStart(11, '0')
  const fraction = digits.slice(-10).replace(/0+$/, '')
  return digits.slice(0, -10) + (fraction && `.${fraction}`)
}

/**
 * Fills in the receiver and the amount, including ones that the form refuses.
 *
 * @param {Scene} scene
 * @param {{ amount: string, to: string }} transfer
 */
async function fillIn({ modal }, { amount, to }) {
  await modal.find('send-amount-input').fill(amount)
  await modal.find('send-address-input').fill(to)
}

describe('a Polkadot account', () => {
  mainJourney('is one of several, shows its balance, and disconnects', withAccounts(0), async (scene) => {
    const { page, modal } = scene
    await modal.connectButton.click()
    await modal.press('wallet-selector-dev-wallet')
    await modal.press('select-chain-polkadot')
    await assertAccessible(page)
    await modal.press('dev-approval-decline')
    await modal.find('dev-approval').waitFor({ state: 'detached' })
    await page.reload()
    await connect(scene)

    await modal.openAccount()
    await modal.tokenIs('DOT', decimal(await dotChain.balance(firstOf(0))))
    assert.equal(await modal.find('wallet-features-swaps-button').count(), 0)
    await assertAccessible(page)

    await modal.press('account-settings-button')
    const ed25519 = dotChain.account(1).address
    await modal.press(`account-choice-${ed25519}`)
    await assertAccessible(page)
    await modal.press('w3m-header-close')
    await modal.openAccount()
    await modal.press('account-settings-address')
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), ed25519)

    await page.reload()
    await modal.openAccount()
    await modal.press('account-settings-button')
    await modal.press('disconnect-button')
    await modal.connectButton.waitFor()
    await page.reload()
    await modal.connectButton.waitFor()
    assert.equal(await modal.accountButton.count(), 0)
  })

  journey('receives by its address', withAccounts(1), async (scene) => {
    const { page, modal } = scene
    await connect(scene)
    await modal.openAccount()
    await modal.press('wallet-features-receive-button')
    await modal.find('wui-qr-code').waitFor()
    await assertAccessible(page)
    await modal.press('receive-address-copy-button')
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), firstOf(1))
  })

  journey(
    'signs in',
    { ...withAccounts(2), query: `${withAccounts(2).query}&signIn=required` },
    async ({ page, modal }) => {
      await modal.connectButton.click()
      await modal.press('wallet-selector-dev-wallet')
      await modal.press('select-chain-polkadot')
      await modal.press('dev-approval-confirm')
      await modal.shows('ConnectingSiwe')
      await modal.press('w3m-connecting-siwe-sign')
      await modal.find('dev-approval').getByText('Sign in to the Hawser lab.').waitFor()
      await modal.press('dev-approval-confirm')
      await modal.isClosed()
      await page.reload()
      await modal.accountButton.waitFor()
      // The session is read with the account; a sign-in would open the modal at once.
      await page.waitForTimeout(1_000)
      await modal.isClosed()
    },
  )
})

describe('sending on Polkadot', () => {
  mainJourney(
    'moves DOT to the last planck, whatever network the address is written for',
    withAccounts(3),
    async (scene) => {
      const { page, modal } = scene
      const to = freshPolkadotAddress(42)
      await connect(scene)
      await modal.prepareSend({ symbol: 'DOT', amount: '1.2345678901', to })
      assert.notEqual(await modal.find('send-preview-address').textContent(), to)
      await modal.find('send-preview-reserve').getByText('1 DOT').waitFor()
      await assertAccessible(page)
      await modal.press('send-confirm-button')
      await modal.press('dev-approval-confirm')
      await modal.isSent(PATIENCE)
      assert.equal(await dotChain.balance(to), 12_345_678_901n)
      await modal.tokenIs('DOT', decimal(await dotChain.balance(firstOf(3))))
    },
  )

  journey('sends all but what keeps the account', withAccounts(4), async (scene) => {
    const { modal } = scene
    const to = freshPolkadotAddress()
    await connect(scene)
    await modal.openAccount()
    await modal.press('wallet-features-send-button')
    await modal.chooseToken('DOT')
    await modal.find('send-address-input').fill(to)
    await modal.press('send-max-button')
    await modal.readyToReview()
    await modal.press('send-review-button')
    await modal.press('send-confirm-button')
    await modal.press('dev-approval-confirm')
    await modal.isSent(PATIENCE)
    const left = await dotChain.balance(firstOf(4))
    assert.ok(left >= DOT && left < DOT + DOT / 1_000n, `${left} plancks are left`)
    assert.ok((await dotChain.balance(to)) > 998n * DOT)
  })

  journey('keeps a transfer that was declined', withAccounts(5), async (scene) => {
    const { modal } = scene
    const to = freshPolkadotAddress()
    await connect(scene)
    await modal.prepareSend({ symbol: 'DOT', amount: '2', to })
    await modal.press('send-confirm-button')
    await modal.press('dev-approval-decline')
    await modal.says('You declined. Nothing was sent.')
    assert.equal(await dotChain.balance(to), 0n)
    await modal.press('send-confirm-button')
    await modal.press('dev-approval-confirm')
    await modal.isSent(PATIENCE)
    assert.equal(await dotChain.balance(to), 2n * DOT)
  })

  journey('says what cannot be sent', withAccounts(6), async (scene) => {
    const { page, modal } = scene
    const to = freshPolkadotAddress()
    await connect(scene)
    await modal.openAccount()
    await modal.press('wallet-features-send-button')
    await modal.chooseToken('DOT')
    await fillIn(scene, { amount: '1000.5', to })
    await modal.sendButtonSays('Insufficient balance')
    await modal.find('send-amount-input').fill('999.5')
    await modal.sendButtonSays('Leave more in your account')
    await modal.find('send-reserve').getByText('1 DOT has to stay in your account.').waitFor()
    await assertAccessible(page)
    await modal.find('send-amount-input').fill('0.5')
    await modal.sendButtonSays('Amount too small')
    await modal.find('send-address-outcome').getByText('Send at least 1 DOT to this address').waitFor()
    await assertAccessible(page)
    await modal.find('send-address-input').fill('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    await modal.find('send-address-outcome').getByText('This is an EVM address').waitFor()
    await modal.find('send-address-input').fill(`${to.slice(0, -1)}${to.endsWith('a') ? 'b' : 'a'}`)
    await modal.find('send-address-outcome').getByText('Enter a valid address').waitFor()
  })

  journey('says why a transfer failed in its block', withAccounts(7), async (scene) => {
    const { page, modal } = scene
    const to = freshPolkadotAddress()
    await connect(scene)
    await modal.prepareSend({ symbol: 'DOT', amount: '500', to })
    await dotChain.hold(true)
    try {
      await modal.press('send-confirm-button')
      await modal.press('dev-approval-confirm')
      await page.locator('[data-testid="transaction-status"][data-status="pending"]').waitFor()
      await dotChain.lock(firstOf(7), 900n * DOT)
    } finally {
      await dotChain.hold(false)
    }
    await page
      .locator('[data-testid="transaction-status"][data-status="failed"]')
      .waitFor({ timeout: PATIENCE })
    await modal.find('transaction-status').getByText('Some of the balance is locked').waitFor()
    await assertAccessible(page)
    await eventually(async () => assert.equal(await dotChain.balance(to), 0n))
  })
})
