import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { formatUnits } from 'viem'
import { devnet } from './harness/chain.mjs'
import { journey } from './harness/journey.mjs'

describe('the tokens of an account', () => {
  journey('are shown with every digit', {}, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    for (const symbol of ['tUSD', 'tDAI', 'WIDE', 'HUGE', 'tUSDT', 'ANUNREASONABLYLONGTOKENSYMBOL']) {
      const { decimals } = devnet.token(symbol)
      await modal.tokenIs(symbol, formatUnits(await devnet.tokenBalance(symbol, wallet.address), decimals))
    }
  })

  journey('leave out what has no decimals and what cannot be read', {}, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.find('token-tUSD').waitFor()
    for (const symbol of ['WHOLE', 'RVRT', 'BURN'])
      assert.equal(await modal.find(`token-${symbol}`).count(), 0, symbol)
  })

  journey('have no worth where no price is known', {}, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.find('token-tUSD').getByText('$').waitFor()
    assert.doesNotMatch((await modal.find('token-HUGE').textContent()) ?? '', /\$/)
  })

  journey('grow when somebody sends some', { account: 6 }, async ({ modal, wallet }) => {
    await devnet.setBalance(wallet.address, 5n * 10n ** 18n)
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.tokenIs('ETH', '5')
    await devnet.pay(wallet.address, 250_000_000_000_000_001n)
    await modal.tokenIs('ETH', '5.250000000000000001', 2_000)
  })
})

describe('an account without anything', () => {
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
