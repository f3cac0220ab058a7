import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { assertAccessible } from '../kit/accessibility.mjs'
import { pay, testCards } from '../kit/checkout.mjs'
import { logIn, newEmail, walletFrame } from '../kit/embedded.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'
import { press } from '../kit/press.mjs'
import { freshSolanaAddress, svm } from '../kit/solana.mjs'
import { installBurnerWallet } from '../kit/wallet/burner/install.mjs'

/** @typedef {import('../kit/journey.mjs').Scene} Scene */

const noWallets = () => []

/** @param {number} account index of the development account */
const both = (account) => ({
  query: `?namespaces=eip155,solana&solanaAccount=${account}`,
  wallets: noWallets,
})

/** The sandbox is slow in some cases. */
const PATIENCE = 45_000

/**
 * Connects the Dev wallet on Solana, which it has beside EVM chains.
 *
 * @param {Scene} scene
 */
async function connect({ modal }) {
  await modal.connectButton.click()
  await modal.press('wallet-selector-dev-wallet')
  await modal.shows('ConnectingMultiChain')
  await modal.press('select-chain-solana')
  await modal.accountButton.waitFor()
  await modal.isClosed()
}

/**
 * @param {bigint} units
 * @param {number} decimals
 * @returns {string} whole tokens
 */
function decimal(units, decimals) {
  const digits = units.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return digits.slice(0, -decimals) + (fraction && `.${fraction}`)
}

/**
 * Returns the rows of the preview of what signing does, once the simulation succeeded.
 *
 * @param {Scene['modal']} modal
 */
async function consequences(modal) {
  const preview = modal.page.locator('[data-testid="signing-preview"][data-state="succeeds"]')
  await preview.waitFor()
  return preview.locator('.hw-signing-rows > div').allTextContents()
}

describe('a Solana account', () => {
  journey('shows SOL and tokens of both programs, and what arrives at once', both(1), async (scene) => {
    const { page, modal } = scene
    const { address } = svm.account(1)
    await modal.connectButton.click()
    await modal.press('wallet-selector-dev-wallet')
    await modal.shows('ConnectingMultiChain')
    await assertAccessible(page)
    await modal.press('select-chain-solana')
    await modal.isClosed()

    await modal.openAccount()
    await modal.tokenIs('SOL', decimal(await svm.balance(address), 9))
    await modal.tokenIs('tUSD', decimal(await svm.tokenBalance('tUSD', address), 6))
    await modal.tokenIs('tPYUSD', decimal(await svm.tokenBalance('tPYUSD', address), 6))
    await modal.accountButton.getByText('harbor.sns').waitFor()
    assert.equal(await modal.find('tab-nfts').count(), 0)
    assert.equal(await modal.find('wallet-features-swaps-button').count(), 0)
    await assertAccessible(page)

    await svm.airdrop(address, 1_234_567_890n)
    await modal.tokenIs('SOL', decimal(await svm.balance(address), 9))

    await page.reload()
    await modal.openAccount()
    await modal.press('account-settings-button')
    await modal.press('disconnect-button')
    await modal.connectButton.waitFor()
    await page.reload()
    await modal.connectButton.waitFor()
    assert.equal(await modal.accountButton.count(), 0)
  })

  journey('receives by address, and requests an amount by a code of Solana Pay', both(2), async (scene) => {
    const { page, modal } = scene
    const { address } = svm.account(2)
    await connect(scene)
    await modal.openAccount()
    await modal.press('wallet-features-receive-button')
    await modal.find('receive-address-copy-button').getByText(address).waitFor()
    await modal.press('receive-request-button')
    await modal.find('receive-request-amount').fill('1.5')
    const code = modal.find('wui-qr-code')
    const ofSol = `solana:${address}?amount=1.5`
    await eventually(async () => assert.match((await code.getAttribute('aria-label')) ?? '', /amount=1\.5$/))
    await modal.find('receive-request-token').selectOption({ label: 'tUSD' })
    await modal.press('receive-request-copy')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    assert.equal(copied, `${ofSol}&spl-token=${svm.token('tUSD').address}`)
    await assertAccessible(page)
  })

  mainJourney(
    'signs in',
    { ...both(2), query: `${both(2).query}&signIn=required` },
    async ({ page, modal }) => {
      await modal.connectButton.click()
      await modal.press('wallet-selector-dev-wallet')
      await modal.press('select-chain-solana')
      await modal.shows('ConnectingSiwe')
      await modal.press('w3m-connecting-siwe-sign')
      await modal.isClosed()
      await page.reload()
      await modal.accountButton.waitFor()
      // The session is read with the account; a sign-in would open the modal at once.
      await page.waitForTimeout(1_000)
      await modal.isClosed()
    },
  )

  journey('buys SOL with a card', both(9), async (scene) => {
    const { page, context, modal } = scene
    const { address } = svm.account(9)
    const before = await svm.balance(address)
    await connect(scene)
    await modal.openAccount()
    await modal.press('wallet-features-onramp-button')
    await modal.press('onramp-token-button')
    await modal.press(`onramp-token-SOL-${svm.caip2}`)
    await modal.press('onramp-preset-100')
    const opened = context.waitForEvent('page')
    await modal.press('onramp-continue-BEACON-PAY')
    const checkout = await opened
    await checkout.waitForURL(/\/sandbox\/checkout\//)
    await pay(checkout, testCards.success)
    await page.locator('[data-phase="completed"]').waitFor({ timeout: PATIENCE })
    const after = await svm.balance(address)
    assert.ok(after > before, 'nothing arrived')
    await modal.press('buy-done')
    await modal.tokenIs('SOL', decimal(after, 9))
    await modal.press('tab-activity')
    const row = modal.activity(await svm.newestSignature(address))
    await row.getByText('Received').waitFor()
    await row.getByRole('button').first().click()
    await row.getByText(`+${decimal(after - before, 9)} SOL`).waitFor()
  })
})

describe('sending on Solana', () => {
  mainJourney('moves SOL and tokens of both programs to the last unit', both(0), async (scene) => {
    const { page, modal } = scene
    const to = freshSolanaAddress()
    await connect(scene)

    await modal.prepareSend({ symbol: 'SOL', amount: '0.123456789', to })
    assert.equal(await modal.find('send-preview-rent').count(), 0)
    await modal.find('signing-preview').getByText('Simulated: does just what is shown above.').waitFor()
    assert.deepEqual(await consequences(modal), [])
    await modal.press('send-confirm-button')
    await modal.isSent()
    await eventually(async () => assert.equal(await svm.balance(to), 123_456_789n))

    // The receiver has no account of the token: the sender pays for it.
    for (const [symbol, amount, units] of /** @type {const} */ ([
      ['tUSD', '12.345678', 12_345_678n],
      ['tPYUSD', '0.000001', 1n],
    ])) {
      await modal.press('wallet-features-send-button')
      await modal.chooseToken(symbol)
      await modal.find('send-amount-input').fill(amount)
      await modal.find('send-address-input').fill(to)
      await modal.readyToReview()
      await modal.press('send-review-button')
      await modal.find('send-preview-rent').waitFor()
      const [rent, ...others] = await consequences(modal)
      assert.match(rent ?? '', /^You send0\.00\d+ SOLto /)
      assert.deepEqual(others, [])
      await assertAccessible(page)
      await modal.press('send-confirm-button')
      await modal.isSent()
      await eventually(async () => assert.equal(await svm.tokenBalance(symbol, to), units))
      const left = await svm.tokenBalance(symbol, svm.account(0).address)
      await modal.tokenIs(symbol, decimal(left, 6))
    }
  })

  journey(
    'finds the address of a name',
    { ...both(5), expectedErrors: /status of 40[04]/ },
    async (scene) => {
      const { page, modal } = scene
      const receiver = svm.account(1).address
      const before = await svm.balance(receiver)
      await connect(scene)
      await modal.openAccount()
      await modal.press('wallet-features-send-button')
      await modal.chooseToken('SOL')
      await modal.find('send-amount-input').fill('0.25')
      const typed = modal.find('send-address-input')
      const outcome = modal.find('send-address-outcome')
      await typed.fill('reef.sol')
      await outcome.getByText(`reef.sol has no address on ${svm.name}`).waitFor()
      await typed.fill('nick.eth')
      await outcome.getByText(`nick.eth has no address on ${svm.name}`).waitFor()
      await typed.fill('harbor.sol')
      await outcome.getByText(receiver).waitFor()
      await assertAccessible(page)
      await modal.readyToReview()
      await modal.press('send-review-button')
      await modal.press('send-confirm-button')
      await modal.isSent()
      await eventually(async () => assert.equal(await svm.balance(receiver), before + 250_000_000n))
    },
  )

  journey('says what would fail, and does not send it', both(4), async (scene) => {
    const { page, modal } = scene
    const to = freshSolanaAddress()
    await connect(scene)
    await modal.openAccount()
    await modal.press('wallet-features-send-button')
    await modal.chooseToken('SOL')
    await modal.find('send-amount-input').fill('0.5')
    await modal.find('send-address-input').fill(to)
    await modal.readyToReview()
    // The receiver becomes an account of a program, out of which nothing can be taken.
    await svm.setAccount(to, svm.token('tUSD').program, new Uint8Array(165))
    await modal.press('send-review-button')
    await modal.find('signing-preview').and(page.locator('[data-state="reverts"]')).waitFor()
    await modal.find('signing-preview').getByText('The receiver is not a wallet').waitFor()
    await assertAccessible(page)
    await modal.press('send-confirm-button')
    await modal.toast.waitFor()
    assert.equal(await modal.find('transaction-status').count(), 0)
  })

  journey('names an address of another chain', both(3), async (scene) => {
    const { modal } = scene
    await connect(scene)
    await modal.openAccount()
    await modal.press('wallet-features-send-button')
    await modal.find('send-address-input').fill('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    await modal.find('send-address-outcome').getByText('This is an EVM address').waitFor()
    await modal.find('send-address-input').fill('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
    await modal.find('send-address-outcome').getByText('This is a Bitcoin address').waitFor()
  })
})

describe('the activity of a Solana account', () => {
  journey('is empty, shows what arrives at once, and what was sent', both(6), async (scene) => {
    const { page, modal } = scene
    const { address } = svm.account(6)
    await connect(scene)
    await modal.openTab('activity')
    await modal.find('empty-activity-state').waitFor()

    const arrived = await svm.airdrop(address, 1_234_567_891n)
    const received = modal.activity(arrived)
    await received.getByText('Received').waitFor()
    assert.match((await received.textContent()) ?? '', /\+1\.2345 SOL|\+1\.23\d* SOL/)
    await modal.find('group-title').getByText('Today').waitFor()
    await modal.press('w3m-header-close')

    const to = freshSolanaAddress()
    await modal.prepareSend({ symbol: 'SOL', amount: '0.123456789', to })
    await modal.press('send-confirm-button')
    await modal.isSent()
    await modal.press('tab-activity')
    const sent = modal.activity(await svm.newestSignature(to))
    await sent.getByText('Sent').waitFor()
    await sent.getByText('Pending').waitFor({ state: 'detached' })
    await sent.getByRole('button').first().click()
    await sent.getByText('−0.123456789 SOL').waitFor()
    await sent.getByText(to, { exact: true }).waitFor()
    await sent.getByText('Network fee').waitFor()
    await assertAccessible(page)

    await page.reload()
    await modal.openTab('activity')
    await sent.waitFor()
    await received.waitFor()
    assert.equal(await modal.find('activity').getByRole('listitem').count(), 2)
  })

  const outages = { ...both(7), expectedErrors: /net::ERR_FAILED/ }
  journey('loads older rows, and distinguishes an outage from an empty history', outages, async (scene) => {
    const { page, modal } = scene
    const { address } = svm.account(7)
    const paid = 30
    for (let count = 0; count < paid; count++) await svm.airdrop(address, BigInt(1_000_000 + count))
    let isDown = true
    await page.route('**/hawser.activity.v1.ActivityService/GetHistory*', (route) =>
      isDown ? route.abort() : route.continue(),
    )
    await connect(scene)
    await modal.openTab('activity')
    const outage = modal.find('activity-error')
    await outage.waitFor()
    isDown = false
    await outage.getByRole('button', { name: 'Try again' }).click()
    const rows = modal.find('activity').getByRole('listitem')
    await modal.activity(await svm.newestSignature(address)).waitFor()
    await rows.last().scrollIntoViewIfNeeded()
    await eventually(async () => assert.equal(await rows.count(), paid))
    assert.equal(await modal.find('load-more-activity').count(), 0)
  })
})

describe('a third-party wallet', () => {
  journey(
    'registered by the Wallet Standard connects, sends and disconnects',
    { query: '?namespaces=solana&devWallet=0', wallets: noWallets },
    async ({ page, context, modal }) => {
      await installBurnerWallet(context, { rpcUrl: svm.rpcUrl })
      await page.reload()
      await modal.connectButton.click()
      await modal.press('wallet-selector-solana:Burner Wallet')
      await modal.isClosed()
      await modal.openAccount()
      await modal.press('account-settings-address')
      const address = await page.evaluate(() => navigator.clipboard.readText())
      await svm.airdrop(address, 2_000_000_000n)
      await modal.tokenIs('SOL', '2')
      await modal.press('w3m-header-close')

      const to = freshSolanaAddress()
      await modal.prepareSend({ symbol: 'SOL', amount: '0.5', to })
      await modal.press('send-confirm-button')
      await modal.isSent()
      await eventually(async () => assert.equal(await svm.balance(to), 500_000_000n))

      await modal.press('account-settings-button')
      await modal.press('disconnect-button')
      await modal.connectButton.waitFor()
    },
  )
})

describe('a visitor who logs in by email', () => {
  journey(
    'has an account on Solana beside the one on EVM, and sends from it',
    { query: '?namespaces=eip155,solana&devWallet=0', wallets: noWallets },
    async (scene) => {
      const { page, modal } = scene
      await logIn(scene, newEmail())
      await modal.networkButton.click()
      await modal.press(`w3m-network-switch-${svm.name}`)
      const caipAddress = modal.find('w3m-caip-address')
      await caipAddress.getByText(svm.caip2).waitFor()
      const address = ((await caipAddress.textContent()) ?? '').slice(svm.caip2.length + 1)
      await svm.airdrop(address, 2_000_000_000n)
      await modal.openAccount()
      await modal.tokenIs('SOL', '2')
      await modal.press('w3m-header-close')

      const to = freshSolanaAddress()
      await modal.prepareSend({ symbol: 'SOL', amount: '0.5', to })
      await modal.press('send-confirm-button')
      await modal.shows('ApproveTransaction')
      await walletFrame(page).getByText('0.5 SOL').first().waitFor()
      await walletFrame(page).getByText(to).first().waitFor()
      await press(walletFrame(page).getByRole('button', { name: 'Approve' }))
      await modal.isSent()
      await eventually(async () => assert.equal(await svm.balance(to), 500_000_000n))

      await page.reload()
      await caipAddress.getByText(`${svm.caip2}:${address}`).waitFor()
      await modal.openAccount()
      await modal.press('account-settings-button')
      await modal.press('disconnect-button')
      await modal.connectButton.waitFor()
    },
  )
})
