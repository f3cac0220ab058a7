import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { formatEther } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { devnet, freshAddress } from '../kit/chain.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'
import { walletOf } from '../kit/wallets.mjs'
import { stopPolling } from '../kit/withoutPolls.mjs'

const ETHER = 10n ** 18n

describe('an incoming transfer, which is pushed', () => {
  journey('is a row and a balance on the open page, without a reload', { account: 5 }, async (scene) => {
    const { modal, wallet } = scene
    await stopPolling(scene)
    await devnet.setBalance(wallet.address, 3n * ETHER)
    await modal.connect(wallet)
    await modal.openTab('activity')
    await modal.find('activity').waitFor()
    const hash = await devnet.pay(wallet.address, 250_000_000_000_000_001n)
    await modal.activity(hash).waitFor()
    const text = (await modal.activity(hash).textContent()) ?? ''
    assert.match(text, /Received/)
    assert.match(text, /\+0\.25 ETH/)
    await modal.press('tab-tokens')
    await modal.tokenIs('ETH', '3.250000000000000001')
    await modal.nativeBalanceIs('3.250000000000000001')
  })

  journey('is removed from the page after a reorg', { account: 6 }, async (scene) => {
    const { modal, wallet } = scene
    await stopPolling(scene)
    await devnet.setBalance(wallet.address, ETHER)
    await modal.connect(wallet)
    await modal.openTab('activity')
    await modal.find('activity').waitFor()
    const hash = await devnet.pay(wallet.address, ETHER)
    await modal.activity(hash).waitFor()
    await devnet.reorganise(1)
    await modal.activity(hash).waitFor({ state: 'detached' })
    await modal.nativeBalanceIs(formatEther(await devnet.balance(wallet.address)))
  })
})

describe('what a token only claims', () => {
  journey('is hidden, and labelled when it is shown', { account: 5 }, async ({ modal, wallet }) => {
    const twin = freshAddress()
    const fake = await devnet.counterfeit('tUSD')
    const hash = await fake.claim(wallet.address, twin, 5_000n)
    await modal.connect(wallet)
    await modal.openTab('activity')
    await modal.find('activity').waitFor()
    await modal.find('show-hidden').waitFor()
    assert.equal(await modal.activity(hash).count(), 0)
    await modal.press('show-hidden')
    const row = modal.activity(hash)
    await row.waitFor()
    const text = (await row.textContent()) ?? ''
    assert.match(text, /Unverified/)
    assert.match(text, /Look-alike/)
    assert.ok(text.includes(fake.address.slice(0, 6)))
    assert.doesNotMatch(text, /Sent|Swapped/)
    assert.ok(!text.includes(twin.slice(0, 6)))
    await row.getByRole('button').first().click()
    await modal.find('token-contract').first().waitFor()
    assert.match((await row.textContent()) ?? '', new RegExp(fake.address, 'i'))
    await row.scrollIntoViewIfNeeded()
  })
})

describe('a transfer from the page', () => {
  mainJourney('is a row at once, with every digit', { account: 1 }, async ({ modal, wallet }) => {
    const to = freshAddress()
    await modal.connect(wallet)
    await modal.prepareSend({ symbol: 'tUSD', amount: '12.345678', to })
    await modal.press('send-confirm-button')
    await modal.isSent()
    await modal.press('tab-activity')
    const row = modal.card.locator('[data-testid^="activity-0x"]').first()
    await row.getByText('Sent').waitFor()
    await modal.card.locator('[data-testid^="activity-0x"][data-status="confirmed"]').first().waitFor()
    assert.equal(await modal.card.locator('[data-status="pending"]').count(), 0)
    await row.getByRole('button').first().click()
    await row.getByText('−12.345678', { exact: false }).last().waitFor()
  })
})

describe('a long history', () => {
  // An account of its own: other journeys pay those of the devnet.
  const wallets = () => [walletOf({ privateKeys: [generatePrivateKey()] })]
  journey('is read page by page, without a repeat or a gap', { wallets }, async ({ modal, wallet }) => {
    const values = Array.from({ length: 60 }, (_, index) => BigInt(index + 1))
    const hashes = new Set(await devnet.payEach(wallet.address, values))
    await modal.connect(wallet)
    await modal.openTab('activity')
    const rows = modal.card.locator('[data-testid^="activity-0x"]')
    await eventually(async () => {
      await rows.last().scrollIntoViewIfNeeded()
      assert.equal(await rows.count(), hashes.size)
    }, 30_000)
    const shown = await rows.evaluateAll((elements) =>
      elements.map(({ dataset }) => dataset.testid?.slice(9)),
    )
    assert.deepEqual(new Set(shown), hashes)
  })
})
