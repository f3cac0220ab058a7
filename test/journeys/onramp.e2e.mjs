import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { generatePrivateKey } from 'viem/accounts'
import { assertAccessible } from '../kit/accessibility.mjs'
import { devnet } from '../kit/chain.mjs'
import { pay, testCards } from '../kit/checkout.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'
import { walletOf } from '../kit/wallets.mjs'

/** Returns a wallet with an unused account: everything that it holds was bought. */
const newWallet = () => [walletOf({ privateKeys: [generatePrivateKey()] })]

/** The sandbox is slow in some cases: a slow payment, a webhook that is never sent. */
const PATIENCE = 45_000

/** The least that a hundred dollars buy, after the fees of either seller, in base units of tUSD. */
const LEAST = 95_000_000n

/**
 * @typedef {import('../kit/journey.mjs').Scene} Scene
 */

describe('buying with a card', () => {
  mainJourney(
    'leads from Connect to tokens on the chain, which balance and activity show',
    { wallets: newWallet },
    async (scene) => {
      const { modal, wallet, page } = scene
      await modal.connect(wallet)
      await modal.openOnramp()
      await assertAccessible(page)
      const checkout = await openCheckout(scene)
      assert.equal(await checkout.evaluate(() => window.opener), null)
      await pay(checkout, testCards.success)
      await phase(scene, 'completed')
      await assertAccessible(page)

      const bought = await devnet.tokenBalance('tUSD', wallet.address)
      assert.ok(bought >= LEAST && bought < 100_000_000n, `${bought} arrived`)
      await modal.press('buy-done')
      await modal.shows('Account')
      await modal.tokenIs('tUSD', decimal(bought))
      await modal.press('tab-activity')
      await page.locator('[data-testid^="activity-0x"]').first().waitFor()
      await modal.press('wallet-features-onramp-button')
      await modal.press('onramp-activity-button')
      await page.locator('[data-testid^="onramp-order-"][data-status="completed"]').waitFor()
      await assertAccessible(page)
    },
  )

  journey(
    'that is declined says so, and can be tried again with another card',
    { wallets: newWallet },
    async (scene) => {
      const { modal, wallet } = scene
      await modal.connect(wallet)
      await modal.openOnramp()
      await pay(await openCheckout(scene), testCards.decline)
      await phase(scene, 'failed')
      await modal.find('buy-text').getByText('declined').waitFor()
      assert.equal(await devnet.tokenBalance('tUSD', wallet.address), 0n)
      await modal.press('buy-try-again')
      await modal.shows('OnRampProviders')
      await pay(await openCheckout(scene), testCards.success)
      await phase(scene, 'completed')
    },
  )

  journey('asks the visitor’s bank for confirmation if required', { wallets: newWallet }, async (scene) => {
    const { modal, wallet } = scene
    await modal.connect(wallet)
    await modal.openOnramp()
    const checkout = await openCheckout(scene)
    await pay(checkout, testCards.confirm)
    await checkout.locator('input[name=code]').fill('123456')
    await checkout.getByRole('button', { name: 'Approve' }).click()
    await phase(scene, 'completed')
  })

  journey('that is slow is followed to its end', { wallets: newWallet }, async (scene) => {
    const { modal, wallet } = scene
    await modal.connect(wallet)
    await modal.openOnramp()
    await pay(await openCheckout(scene), testCards.slow)
    await scene.page.locator('[data-phase="pending"], [data-phase="paid"]').waitFor()
    await phase(scene, 'completed')
  })

  journey('that is refunded brings no tokens, and says so', { wallets: newWallet }, async (scene) => {
    const { modal, wallet } = scene
    await modal.connect(wallet)
    await modal.openOnramp()
    await pay(await openCheckout(scene), testCards.refund)
    await phase(scene, 'refunded')
    assert.equal(await devnet.tokenBalance('tUSD', wallet.address), 0n)
  })

  journey('succeeds without a webhook', { wallets: newWallet }, async (scene) => {
    const { modal, wallet } = scene
    await modal.connect(wallet)
    await modal.openOnramp()
    await pay(await openCheckout(scene), testCards.lost)
    await phase(scene, 'completed')
    assert.ok((await devnet.tokenBalance('tUSD', wallet.address)) >= LEAST)
  })
})

describe('the checkout window', () => {
  journey(
    'that was closed is a hint, not an end, and is opened again',
    { wallets: newWallet },
    async (scene) => {
      const { modal, wallet, page } = scene
      await modal.connect(wallet)
      await modal.openOnramp()
      const checkout = await openCheckout(scene)
      await checkout.close()
      await modal.find('buy-label').getByText('Did you finish?').waitFor()
      await assertAccessible(page)
      const again = await opened(scene, () => modal.press('buy-reopen'))
      await pay(again, testCards.success)
      await phase(scene, 'completed')
    },
  )

  journey('that the browser blocks is a link instead', { wallets: newWallet }, async (scene) => {
    const { modal, wallet, page } = scene
    await page.evaluate(() => {
      window.open = () => null
    })
    await modal.connect(wallet)
    await modal.openOnramp()
    await modal.press('onramp-continue-BEACON-PAY')
    await modal.find('buy-open-checkout').waitFor()
    await assertAccessible(page)
    const checkout = await opened(scene, () => modal.press('buy-open-checkout'))
    await pay(checkout, testCards.success)
    await phase(scene, 'completed')
  })
})

describe('a purchase', () => {
  journey(
    'continues while the modal is closed, and a toast shows the outcome',
    { wallets: newWallet },
    async (scene) => {
      const { modal, wallet } = scene
      await modal.connect(wallet)
      await modal.openOnramp()
      const checkout = await openCheckout(scene)
      await modal.press('w3m-header-close')
      await modal.isClosed()
      await pay(checkout, testCards.success)
      await modal.toast.getByText(/^Bought [\d.]+ tUSD$/).waitFor({ timeout: PATIENCE })
    },
  )

  journey('outlives the page it was begun on', { wallets: newWallet }, async (scene) => {
    const { modal, wallet, page } = scene
    await modal.connect(wallet)
    await modal.openOnramp()
    const checkout = await openCheckout(scene)
    await page.reload()
    await modal.accountButton.waitFor()
    await pay(checkout, testCards.success)
    await modal.toast.getByText(/^Bought [\d.]+ tUSD$/).waitFor({ timeout: PATIENCE })
    await eventually(async () => assert.ok((await devnet.tokenBalance('tUSD', wallet.address)) >= LEAST))
  })
})

describe('what can be bought', () => {
  journey(
    'is compared at all sellers, with fees that add up',
    { wallets: newWallet },
    async ({ modal, wallet, page }) => {
      await modal.connect(wallet)
      await modal.openOnramp()
      await modal.find('onramp-provider-HARBOR-PAY').waitFor()
      assert.equal(await page.locator('[data-best]').count(), 1)
      await modal.press('onramp-provider-HARBOR-PAY')
      const cents = await page
        .locator('[data-testid="onramp-offer-details"] dd')
        .evaluateAll((cells) =>
          cells
            .slice(0, 4)
            .map((cell) => Math.round(Number((cell.textContent ?? '').replace(/[^\d.]/g, '')) * 100)),
        )
      const [total = 0, providerFee = 0, networkFee = 0, subtotal = 0] = cents
      assert.equal(total - providerFee - networkFee, subtotal)
      assert.equal(total, 10_000)
    },
  )

  journey(
    'is labelled as an estimate when no provider answers',
    {
      wallets: newWallet,
      expectedErrors: /503/,
    },
    async ({ modal, wallet, page }) => {
      await page.route('**/hawser.onramp.v1.OnrampService/ListQuotes*', (route) =>
        route.fulfill({
          status: 503,
          headers: { 'access-control-allow-origin': '*' },
          json: { code: 'unavailable', message: 'No provider answers' },
        }),
      )
      await modal.connect(wallet)
      await modal.openOnramp()
      await modal.find('onramp-notice').getByText('reach the providers').waitFor()
      await modal.find('onramp-estimate-BEACON-PAY').getByText('Estimate').waitFor()
      await assertAccessible(page)
    },
  )

  journey('is not offered when the site disables it', { query: '?onramp=0' }, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.find('wallet-features-send-button').waitFor()
    assert.equal(await modal.find('wallet-features-onramp-button').count(), 0)
  })
})

/**
 * @param {Scene} scene
 * @param {() => Promise<void>} act
 * @returns {Promise<import('playwright-core').Page>} the window that the act opens, at the checkout
 */
async function opened({ context }, act) {
  const [checkout] = await Promise.all([context.waitForEvent('page'), act()])
  await checkout.waitForURL(/\/sandbox\/checkout\//)
  return checkout
}

/**
 * Chooses the seller whose offer is the better one.
 *
 * @param {Scene} scene
 */
function openCheckout(scene) {
  return opened(scene, () => scene.modal.press('onramp-continue-BEACON-PAY'))
}

/**
 * Waits until the view shows a phase of the purchase.
 *
 * @param {Scene} scene
 * @param {string} name
 */
async function phase({ page }, name) {
  await page.locator(`[data-phase="${name}"]`).waitFor({ timeout: PATIENCE })
}

/**
 * @param {bigint} amount base units of tUSD
 * @returns {string} in whole tokens
 */
function decimal(amount) {
  const fraction = (amount % 1_000_000n).toString().padStart(6, '0').replace(/0+$/, '')
  return `${amount / 1_000_000n}${fraction && `.${fraction}`}`
}
