import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { formatEther, formatUnits, parseUnits } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { devnet, freshAddress, lookAlikeOf } from '../kit/chain.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'
import { withholdReceipts } from '../kit/receipts.mjs'
import { walletOf } from '../kit/wallets.mjs'

const ETHER = 10n ** 18n

describe('sending', () => {
  mainJourney('moves the native currency to the wei', { account: 2 }, async ({ modal, wallet }) => {
    const to = freshAddress()
    await modal.connect(wallet)
    await modal.prepareSend({ symbol: 'ETH', amount: '1.000000000000000001', to })
    const shown = await modal.find('send-preview-amount').textContent()
    assert.equal(shown?.replaceAll('\u00a0', ' '), '1.000000000000000001 ETH')

    await modal.press('send-confirm-button')
    await modal
      .find('transaction-label')
      .getByText(`Sent 1.000000000000000001 ETH to ${to.slice(0, 8)}…${to.slice(-6)}`)
      .waitFor()
    await modal.isSent()
    await eventually(async () => assert.equal(await devnet.balance(to), 1_000_000_000_000_000_001n))
    await modal.nativeBalanceIs(formatEther(await devnet.balance(wallet.address)))
  })

  for (const { what, symbol, amount } of [
    { what: 'a token of 6 decimals', symbol: 'tUSD', amount: '12.345678' },
    { what: 'a token of 36 decimals', symbol: 'WIDE', amount: '0.000000000000000000000000000000000001' },
    { what: 'a token whose balance exceeds 128 bits', symbol: 'HUGE', amount: '1.000000000000000001' },
    { what: 'a token whose transfer returns nothing', symbol: 'tUSDT', amount: '0.000123' },
  ]) {
    journey(`moves ${what} to the last unit`, {}, async ({ modal, wallet }) => {
      const to = freshAddress()
      const { decimals } = devnet.token(symbol)
      await modal.connect(wallet)
      await modal.prepareSend({ symbol, amount, to })
      await modal.press('send-confirm-button')
      await modal.isSent()
      await eventually(async () => {
        assert.equal(await devnet.tokenBalance(symbol, to), parseUnits(amount, decimals))
      })
      const left = await devnet.tokenBalance(symbol, wallet.address)
      await modal.tokenIs(symbol, formatUnits(left, decimals))
    })
  }

  journey('leaves the gas when everything is sent', { account: 3 }, async ({ modal, wallet }) => {
    const to = freshAddress()
    await devnet.setBalance(wallet.address, 2_000_000_000_000_000_000n)
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.press('wallet-features-send-button')
    await modal.chooseToken('ETH')
    await modal.press('send-max-button')
    await modal.find('send-address-input').fill(to)
    await modal.readyToReview()
    const amount = await modal.find('send-amount-input').inputValue()
    await modal.press('send-review-button')
    await modal.press('send-confirm-button')
    await modal.isSent()
    await eventually(async () => assert.equal(await devnet.balance(to), parseUnits(amount, 18)))
  })

  journey('keeps the draft when the wallet declines', { account: 2 }, async ({ modal, wallet }) => {
    const to = freshAddress()
    await modal.connect(wallet)
    await modal.prepareSend({ symbol: 'ETH', amount: '0.5', to })
    wallet.approvals.rejectNext()
    await modal.press('send-confirm-button')
    await modal.says('You declined. Nothing was sent.')
    await modal.shows('WalletSendPreview')
    assert.match((await modal.find('send-preview-amount').textContent()) ?? '', /^0\.5\s/)
    assert.equal(await devnet.balance(to), 0n)
    await modal.press('send-cancel-button')
    await modal.shows('WalletSend')
    assert.equal(await modal.find('send-address-input').inputValue(), to)
  })

  journey(
    'stays on its preview while the wallet prompts, and prompts once',
    { account: 2 },
    async (scene) => {
      const { modal, wallet } = scene
      const to = freshAddress()
      await modal.connect(wallet)
      await modal.prepareSend({ symbol: 'ETH', amount: '0.5', to })
      const prompt = wallet.approvals.holdNext()
      await modal.press('send-confirm-button')
      await prompt.opened
      await modal.find('send-caution').getByText('Confirm transaction in your wallet').waitFor()
      await modal.shows('WalletSendPreview')
      assert.equal(await modal.toast.count(), 0)

      await modal.press('header-back')
      await modal.shows('Account')
      await modal.press('wallet-features-send-button')
      await modal.shows('WalletSendPreview')
      assert.equal(wallet.requests.filter(({ method }) => method === 'eth_sendTransaction').length, 1)
      prompt.approve()
      await modal.isSent()
      assert.equal(await devnet.balance(to), 500_000_000_000_000_000n)
    },
  )

  journey('says why the token refuses it', {}, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.press('wallet-features-send-button')
    await modal.chooseToken('tUSD')
    await modal.find('send-amount-input').fill('1')
    await modal.find('send-address-input').fill('0x0000000000000000000000000000000000000000')
    await modal.sendButtonSays('This transfer would fail')
    const reason = await modal.find('send-refusal').textContent()
    assert.equal(reason, 'Reason: \u2068transfer to the zero address\u2069')
  })

  journey('is reported when the modal was closed meanwhile', { account: 2 }, async ({ modal, wallet }) => {
    const to = freshAddress()
    await modal.connect(wallet)
    await modal.prepareSend({ symbol: 'ETH', amount: '1.25', to })
    const prompt = wallet.approvals.holdNext()
    await modal.press('send-confirm-button')
    await prompt.opened
    await modal.press('w3m-header-close')
    await modal.isClosed()
    prompt.approve()
    await modal.says(`Sent 1.25 ETH to ${to.slice(0, 8)}…${to.slice(-6)}`)
  })

  journey('is reported after a reload', { account: 2 }, async ({ page, context, modal, wallet }) => {
    const to = freshAddress()
    await modal.connect(wallet)
    await modal.prepareSend({ symbol: 'ETH', amount: '0.75', to })
    // The page does not see the block before it is reloaded.
    const release = await withholdReceipts(context)
    await modal.press('send-confirm-button')
    await modal.find('transaction-label').getByText('Transaction started').waitFor()
    await page.reload()
    await release()
    await modal.says(`Sent 0.75 ETH to ${to.slice(0, 8)}…${to.slice(-6)}`)
  })
})

describe('the send form', () => {
  journey('says what is missing, in the order of the form', { account: 1 }, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.press('wallet-features-send-button')
    await modal.chooseToken('tUSD')
    await modal.sendButtonSays('Enter amount')
    await modal.find('send-amount-input').fill('0')
    await modal.sendButtonSays('Incorrect value')
    await modal.find('send-amount-input').fill('100000000')
    await modal.sendButtonSays('Insufficient balance')
    await modal.find('send-amount-input').fill('1')
    await modal.sendButtonSays('Enter address')
    await modal.find('send-address-input').fill('0x1234')
    await modal.sendButtonSays('Invalid address')
    await modal.find('send-address-input').fill(freshAddress())
    await modal.readyToReview()
  })

  journey('refuses one base unit more than there is', { account: 1 }, async ({ modal, wallet }) => {
    const units = await devnet.tokenBalance('tUSD', wallet.address)
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.press('wallet-features-send-button')
    await modal.chooseToken('tUSD')
    await modal.find('send-address-input').fill(freshAddress())
    await modal.find('send-amount-input').fill(formatUnits(units, 6))
    await modal.readyToReview()
    await modal.find('send-amount-input').fill(formatUnits(units + 1n, 6))
    await modal.sendButtonSays('Insufficient balance')
  })

  journey('says when nothing is left for gas', { account: 4 }, async ({ modal, wallet }) => {
    await devnet.setBalance(wallet.address, 1n)
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.press('wallet-features-send-button')
    await modal.chooseToken('ETH')
    await modal.find('send-amount-input').fill('0.000000000000000001')
    await modal.find('send-address-input').fill(freshAddress())
    await modal.sendButtonSays('Insufficient balance for network fee')
  })
})

describe('an address that looks like a known one', () => {
  // An account of its own: its history has only what happens here.
  const wallets = () => [walletOf({ privateKeys: [generatePrivateKey()] })]

  mainJourney('stops the form until the visitor chose one', { wallets }, async ({ modal, wallet }) => {
    const friend = freshAddress()
    const attacker = lookAlikeOf(friend)
    await devnet.setBalance(wallet.address, 3n * ETHER)
    await modal.connect(wallet)
    await modal.prepareSend({ symbol: 'ETH', amount: '1', to: friend })
    await modal.press('send-confirm-button')
    await modal.isSent()

    const poison = await devnet.payAs(attacker, wallet.address, 1n)
    await modal.press('tab-activity')
    const row = modal.activity(poison)
    await row.getByText('From a look-alike address').waitFor()
    await row.getByRole('button').first().click()
    await row.getByText('Don’t copy it.', { exact: false }).waitFor()
    assert.equal(await row.getByRole('button', { name: 'Copy address' }).count(), 0)

    const before = await devnet.balance(attacker)
    await modal.press('wallet-features-send-button')
    await modal.chooseToken('ETH')
    await modal.find('send-amount-input').fill('0.5')
    await modal.find('send-address-input').fill(attacker)
    await modal.sendButtonSays('Check the address')
    assert.ok(await modal.find('send-review-button').isDisabled())
    const shown = async (/** @type {string} */ part) =>
      modal.find(part).getByRole('img').getAttribute('aria-label')
    assert.equal(await shown('send-doubt-known'), friend)
    assert.equal(await shown('send-doubt-receiver'), attacker)
    assert.ok((await modal.find('send-doubt-receiver').locator('mark').count()) > 20)

    await modal.find('send-use-known').focus()
    await modal.page.keyboard.press('Enter')
    await modal.readyToReview()
    assert.equal(await modal.find('send-address-input').inputValue(), friend)
    await modal.press('send-review-button')
    await modal.press('send-confirm-button')
    await modal.isSent()
    assert.equal(await devnet.balance(friend), (3n * ETHER) / 2n)
    assert.equal(await devnet.balance(attacker), before)
  })

  journey('is sent to once it is chosen', { wallets }, async ({ modal, wallet }) => {
    const friend = freshAddress()
    const attacker = lookAlikeOf(friend)
    await devnet.setBalance(wallet.address, 3n * ETHER)
    await modal.connect(wallet)
    await modal.prepareSend({ symbol: 'ETH', amount: '1', to: friend })
    await modal.press('send-confirm-button')
    await modal.isSent()
    // A token that claims that the visitor sent it to the attacker.
    const fake = await devnet.counterfeit('tUSD')
    const poison = await fake.claim(wallet.address, attacker, 1_000_000n)
    await modal.press('tab-activity')
    await modal.press('show-hidden')
    const row = modal.activity(poison)
    await row.getByRole('button').first().click()
    await modal.find('token-contract').waitFor()
    assert.equal(await row.getByRole('button', { name: /Copy (address|token contract)/ }).count(), 0)

    await modal.press('wallet-features-send-button')
    await modal.chooseToken('ETH')
    await modal.find('send-amount-input').fill('0.5')
    await modal.find('send-address-input').fill(attacker)
    await modal.sendButtonSays('Check the address')
    await modal.press('send-use-new')
    await modal.readyToReview()
    await modal.press('send-review-button')
    await modal.press('send-confirm-button')
    await modal.isSent()
    assert.equal(await devnet.balance(attacker), ETHER / 2n)
  })

  journey(
    'is none, and may be the first that anything is sent to',
    { account: 2 },
    async ({ modal, wallet }) => {
      await devnet.pay(wallet.address, ETHER)
      await modal.connect(wallet)
      await modal.openAccount()
      await modal.press('wallet-features-send-button')
      await modal.chooseToken('ETH')
      await modal.find('send-amount-input').fill('0.5')
      await modal.find('send-address-input').fill(freshAddress())
      await modal
        .find('send-address-outcome')
        .getByText('Your activity shows no transfer to this address.')
        .waitFor()
      await modal.readyToReview()
    },
  )
})
