import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { formatUnits } from 'viem'
import { assertAccessible } from '../kit/accessibility.mjs'
import { devnet } from '../kit/chain.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey, mainJourney, moving } from '../kit/journey.mjs'
import { walletOf } from '../kit/wallets.mjs'

describe('the tokens of an account', () => {
  mainJourney('are shown with every digit', moving, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    for (const symbol of ['tUSD', 'tDAI', 'WIDE', 'HUGE', 'tUSDT', 'ANUNREASONABLYLONGTOKENSYMBOL']) {
      const { decimals } = devnet.token(symbol)
      await modal.tokenIs(symbol, formatUnits(await devnet.tokenBalance(symbol, wallet.address), decimals))
    }
  })

  journey('omit tokens without decimals and unreadable ones', moving, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.find('token-tUSD').waitFor()
    for (const symbol of ['WHOLE', 'RVRT', 'BURN'])
      assert.equal(await modal.find(`token-${symbol}`).count(), 0, symbol)
  })

  journey('have no value without a price', moving, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.find('token-tUSD').getByText('$').waitFor()
    assert.doesNotMatch((await modal.find('token-HUGE').textContent()) ?? '', /\$/)
  })

  mainJourney('grow when a transfer arrives', { account: 6 }, async ({ modal, wallet }) => {
    await devnet.setBalance(wallet.address, 5n * 10n ** 18n)
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.tokenIs('ETH', '5')
    await devnet.pay(wallet.address, 250_000_000_000_000_001n)
    await modal.tokenIs('ETH', '5.250000000000000001', 2_000)
  })
})

describe('an empty account', () => {
  journey('says so and offers to receive', { account: 9 }, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.find('empty-account-state').waitFor()
    await modal.press('receive-funds')
    await modal.shows('WalletReceive')
  })
})

describe('while the gateway is slow', () => {
  journey(
    'the account opens at once, with its place kept free',
    { query: '?gateway=slow' },
    async ({ modal, wallet }) => {
      await modal.connect(wallet)
      await modal.openAccount()
      await modal.card.locator('.hw-skeleton').first().waitFor({ timeout: 1_000 })
      await modal.tokenIs('tUSD', formatUnits(await devnet.tokenBalance('tUSD', wallet.address), 6))
      assert.equal(await modal.card.locator('.hw-skeleton').count(), 0)
    },
  )
})

describe('a wallet that grants several accounts', () => {
  journey(
    'lets the visitor choose one, which signs and is still chosen after a reload',
    { wallets: () => [walletOf({ account: 7, grantsAll: true })] },
    async ({ modal, wallet, page }) => {
      const [first, second] = wallet.accounts.map(({ address }) => address)
      assert.ok(first && second)
      await devnet.setBalance(first, 3n * 10n ** 18n)
      await devnet.setBalance(second, 4n * 10n ** 18n)
      await modal.connect(wallet)
      await modal.nativeBalanceIs('3')
      await modal.openAccount()
      await modal.press('account-settings-button')
      const choice = modal.find(`account-choice-${second}`)
      await choice.press('Enter')
      await page.locator(`[data-testid="account-choice-${second}"][aria-current="true"]`).waitFor()
      assert.equal(await choice.evaluate((row) => row.matches(':focus')), true)
      await assertAccessible(page)
      await modal.press('w3m-header-close')
      await modal.nativeBalanceIs('4')

      await page.reload()
      await modal.nativeBalanceIs('4')
      await modal.prepareSend({ symbol: 'ETH', amount: '1', to: first })
      await modal.press('send-confirm-button')
      await modal.nativeBalanceIs(formatUnits(await eventually(() => spent(second, 3n * 10n ** 18n)), 18))
    },
  )
})

/**
 * Returns what an account holds, in wei, once it has sent something.
 *
 * @param {`0x${string}`} address
 * @param {bigint} most what is left at most
 */
async function spent(address, most) {
  const balance = await devnet.balance(address)
  assert.ok(balance < most, `${balance} wei are still there`)
  return balance
}
