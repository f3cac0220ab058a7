import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { assertAccessible } from '../kit/accessibility.mjs'
import { btc, freshBitcoinAddress } from '../kit/bitcoin.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'

/** @typedef {import('../kit/journey.mjs').Scene} Scene */

const noWallets = () => []

/**
 * @param {number} account index of the development account
 * @param {string} [flags]
 */
const both = (account, flags = '') => ({
  query: `?namespaces=eip155,bip122&bitcoinAccount=${account}${flags}`,
  wallets: noWallets,
})

/** A page polls balances and history of Bitcoin every ten seconds. */
const PATIENCE = 20_000

/**
 * Connects the Dev wallet on Bitcoin, which it has beside EVM chains.
 *
 * @param {Scene} scene
 */
async function connect({ modal }) {
  await modal.connectButton.click()
  await modal.press('wallet-selector-dev-wallet')
  await modal.shows('ConnectingMultiChain')
  await modal.press('select-chain-bip122')
  await modal.accountButton.waitFor()
  await modal.isClosed()
}

/**
 * @param {bigint} satoshis
 * @returns {string} bitcoin
 */
function bitcoin(satoshis) {
  const digits = satoshis.toString().padStart(9, '0')
  const fraction = digits.slice(-8).replace(/0+$/, '')
  return digits.slice(0, -8) + (fraction && `.${fraction}`)
}

/**
 * Chooses how soon a transfer should be in a block, in its review.
 *
 * @param {Scene} scene
 * @param {'Slow' | 'Normal' | 'Fast'} speed
 * @param {string} rate as it is shown then
 */
async function chooseSpeed({ page }, speed, rate) {
  const choice = page.locator('.hw-speed', { hasText: speed })
  await choice.click()
  await choice.getByText(`${rate} sat/vB`).waitFor()
}

describe('a Bitcoin account', () => {
  mainJourney(
    'shows its balance and what arrives, and switches between its addresses',
    both(1),
    async (scene) => {
      const { page, modal } = scene
      const { payment, ordinal } = btc.account(1)
      await connect(scene)
      await modal.openAccount()
      await modal.tokenIs('rBTC', bitcoin(await btc.balance(payment.address)))
      await modal.nativeBalanceIs(bitcoin(await btc.balance(payment.address)))
      assert.equal(await modal.find('tab-nfts').count(), 0)
      assert.equal(await modal.find('wallet-features-swaps-button').count(), 0)
      await assertAccessible(page)

      await btc.fund(payment.address, 12_345_678)
      await modal.tokenIs('rBTC', bitcoin(await btc.balance(payment.address)), PATIENCE)

      await modal.press('account-settings-button')
      await modal.find(`account-choice-${payment.address}`).getByText('Payments').waitFor()
      await modal.find(`account-choice-${ordinal.address}`).getByText('Ordinals').click()
      await modal.press('header-back')
      await modal.tokenIs('rBTC', bitcoin(await btc.balance(ordinal.address)))
      await modal.find('account-ordinal-note').waitFor()
      assert.equal(await modal.find('wallet-features-send-button').count(), 0)
      assert.equal(await modal.find('token-rBTC').locator('button').count(), 0)
      await assertAccessible(page)

      await page.reload()
      await modal.openAccount()
      await modal.find('account-ordinal-note').waitFor()
      await modal.press('account-settings-button')
      await modal.press(`account-choice-${payment.address}`)
      await modal.press('header-back')
      await modal.find('wallet-features-send-button').waitFor()

      await modal.press('account-settings-button')
      await modal.press('disconnect-button')
      await modal.connectButton.waitFor()
      await page.reload()
      await modal.connectButton.waitFor()
      assert.equal(await modal.accountButton.count(), 0)
    },
  )

  journey('receives by address, and requests an amount by a code of BIP-21', both(2), async (scene) => {
    const { page, modal } = scene
    const { address } = btc.account(2).payment
    await connect(scene)
    await modal.openAccount()
    await modal.press('wallet-features-receive-button')
    await modal.press('receive-address-copy-button')
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address)
    await modal.press('receive-request-button')
    await modal.find('receive-request-amount').fill('0.0015')
    const uri = `bitcoin:${address}?amount=0.0015`
    const code = modal.find('wui-qr-code')
    await eventually(async () => assert.ok((await code.getAttribute('aria-label'))?.endsWith(uri)))
    await modal.press('receive-request-copy')
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), uri)
    await assertAccessible(page)
  })

  for (const wallet of ['standard', 'sats']) {
    const visitor = both(3, `&signIn=required&bitcoinWallet=${wallet}`)
    journey(`signs in by BIP-322 (${wallet})`, visitor, async ({ page, modal }) => {
      await modal.connectButton.click()
      await modal.press('wallet-selector-dev-wallet')
      await modal.press('select-chain-bip122')
      await modal.shows('ConnectingSiwe')
      await assertAccessible(page)
      await modal.press('w3m-connecting-siwe-sign')
      await modal.isClosed()
      await page.reload()
      await modal.accountButton.waitFor()
      // The session is read with the account; a sign-in would open the modal at once.
      await page.waitForTimeout(1_000)
      await modal.isClosed()
    })
  }

  journey('lists what it received, a page at a time', both(9), async (scene) => {
    const { page, modal } = scene
    const { address } = btc.account(9).payment
    for (let number = 1; number <= 27; number++) await btc.fund(address, 10_000 + number)
    await connect(scene)
    await modal.openTab('activity')
    const rows = page.locator('[data-testid="activity"] li[data-status="confirmed"]')
    await rows.first().waitFor()
    await rows.nth(24).scrollIntoViewIfNeeded()
    await eventually(async () => assert.equal(await rows.count(), 27))
    await rows.last().getByText('Received').waitFor()
    assert.match((await rows.last().locator('.hw-amount').getAttribute('title')) ?? '', /^0\.00010001 /)

    await rows.first().locator('button').first().click()
    await rows.first().getByTestId('activity-confirmations').waitFor()
    await assertAccessible(page)
  })

  journey('lists what it sent, until it is in a block', both(2), async (scene) => {
    const { page, modal } = scene
    const to = freshBitcoinAddress()
    await connect(scene)
    await modal.prepareSend({ symbol: 'rBTC', amount: '0.001', to })
    await modal.press('send-confirm-button')
    await page.locator('[data-testid="transaction-status"]').waitFor()
    const [sent] = await btc.transactions(to)
    assert.ok(sent, 'nothing was sent')
    await modal.press('transaction-done-button')
    await modal.press('tab-activity')
    const row = modal.activity(sent.txid)
    await row.getByText('Pending').waitFor()
    await btc.mine()
    await row.getByText('Pending').waitFor({ state: 'detached', timeout: PATIENCE })
    const change = bitcoin(100_000n + BigInt(sent.fee))
    await eventually(async () => {
      const title = await row.locator('.hw-amount').first().getAttribute('title')
      assert.ok(title?.startsWith(`${change} `), `${title} is not ${change}`)
    }, PATIENCE)
    await row.locator('button').first().click()
    await row.getByText(to).first().waitFor()
    await assertAccessible(page)
  })
})

describe('sending bitcoin', () => {
  for (const [speed, rate] of /** @type {const} */ ([
    ['Slow', '2'],
    ['Normal', '5'],
    ['Fast', '10.001'],
  ])) {
    journey(`pays the fee that was chosen: ${speed}`, both(0), async (scene) => {
      const { page, modal } = scene
      const { address } = btc.account(0).payment
      await connect(scene)
      const to = freshBitcoinAddress()
      const before = await btc.balance(address)
      await modal.prepareSend({ symbol: 'rBTC', amount: '0.12345678', to })
      await chooseSpeed(scene, speed, rate)
      await assertAccessible(page)
      await modal.press('send-confirm-button')
      await eventually(async () => assert.equal(await btc.balance(to), 12_345_678n))
      await btc.mine()
      await modal.isSent()
      const [sent] = await btc.transactions(to)
      assert.ok(sent?.status.confirmed)
      // Change comes back.
      assert.equal(await btc.balance(address), before - 12_345_678n - BigInt(sent.fee))
      const size = Math.ceil(sent.weight / 4)
      assert.ok(Math.abs(sent.fee / size - Number(rate)) < 0.2, `${sent.fee} for ${size} vB`)
      await modal.tokenIs('rBTC', bitcoin(await btc.balance(address)), PATIENCE)
    })
  }

  mainJourney('pays all that there is', both(8), async (scene) => {
    const { modal } = scene
    const { address } = btc.account(8).payment
    await btc.fund(address, 12_345_678)
    const to = freshBitcoinAddress()
    const all = await btc.balance(address)
    await connect(scene)
    await modal.openAccount()
    await modal.press('wallet-features-send-button')
    await modal.press('send-max-button')
    await modal.find('send-address-input').fill(to)
    await modal.readyToReview()
    await modal.press('send-review-button')
    await modal.press('send-confirm-button')
    await eventually(async () => assert.ok((await btc.balance(to)) > 0n))
    await btc.mine()
    await modal.isSent()
    const [sent] = await btc.transactions(to)
    assert.equal(await btc.balance(address), 0n)
    assert.equal(await btc.balance(to), all - BigInt(sent?.fee ?? 0))
  })

  journey('refuses dust, more than there is, and addresses of other networks', both(4), async (scene) => {
    const { page, modal } = scene
    await connect(scene)
    await modal.openAccount()
    await modal.press('wallet-features-send-button')
    const receiver = modal.find('send-address-input')
    const outcome = modal.find('send-address-outcome')
    await receiver.fill(freshBitcoinAddress())
    for (const [amount, label] of /** @type {const} */ ([
      ['0.00000545', 'Amount too small'],
      ['0.00000546', 'Review send'],
      ['1', 'Insufficient balance for network fee'],
      ['1.00000001', 'Insufficient balance'],
      ['0.1', 'Review send'],
    ])) {
      await modal.find('send-amount-input').fill(amount)
      await modal.sendButtonSays(label)
      if (label === 'Amount too small') await outcome.getByText('Send at least 0.00000546 rBTC').waitFor()
    }
    for (const [text, problem, label] of /** @type {const} */ ([
      ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'Enter a valid address', 'Invalid address'],
      ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'This is an EVM address', 'For another network'],
      ['9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', 'This is a Solana address', 'For another network'],
    ])) {
      await receiver.fill(text)
      await outcome.getByText(problem).waitFor()
      await modal.sendButtonSays(label)
    }
    await assertAccessible(page)
  })

  journey('keeps the draft of a declined transfer', both(5, '&fail=send'), async (scene) => {
    const { page, modal } = scene
    const { address } = btc.account(5).payment
    const to = freshBitcoinAddress()
    await connect(scene)
    await modal.prepareSend({ symbol: 'rBTC', amount: '0.25', to })
    await modal.press('send-confirm-button')
    await modal.says('You declined. Nothing was sent.')
    assert.equal(await btc.balance(to), 0n)
    await modal.press('w3m-header-close')
    await page.getByTestId('failure-send').click()
    await modal.openAccount()
    await modal.press('wallet-features-send-button')
    assert.equal(await modal.find('send-amount-input').inputValue(), '0.25')
    await modal.readyToReview()
    await modal.press('send-review-button')
    await modal.press('send-confirm-button')
    await eventually(async () => assert.equal(await btc.balance(to), 25_000_000n))
    await btc.mine()
    await modal.isSent()
    assert.ok((await btc.balance(address)) < 75_000_000n)
  })

  journey('works in a wallet of window.btc_providers', both(6, '&bitcoinWallet=sats'), async (scene) => {
    const { page, modal } = scene
    const to = freshBitcoinAddress()
    await connect(scene)
    await modal.prepareSend({ symbol: 'rBTC', amount: '0.5', to })
    await modal.press('send-confirm-button')
    await eventually(async () => assert.equal(await btc.balance(to), 50_000_000n))
    await btc.mine()
    await modal.isSent()
    await page.reload()
    await modal.openAccount()
    await modal.press('account-settings-button')
    await modal
      .find(`account-choice-${btc.account(6).ordinal.address}`)
      .getByText('Ordinals')
      .waitFor()
    await modal.press('disconnect-button')
    await modal.connectButton.waitFor()
    await page.reload()
    await modal.connectButton.waitFor()
    assert.equal(await modal.accountButton.count(), 0)
  })

  journey('is not connected by a declined request', both(7, '&fail=connect'), async ({ page, modal }) => {
    await modal.connectButton.click()
    await modal.press('wallet-selector-dev-wallet')
    await modal.press('select-chain-bip122')
    await page.getByText('Nothing was shared with this site.').waitFor()
    await assertAccessible(page)
    assert.equal(await modal.accountButton.count(), 0)
  })
})
