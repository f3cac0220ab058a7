import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { receiptOf } from '@hawser/devnet/receipt'
import { erc20Abi, formatEther, formatUnits, parseUnits } from 'viem'
import { devnet } from '../kit/chain.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'
import { withholdReceipts } from '../kit/receipts.mjs'
import { walletOf } from '../kit/wallets.mjs'

/**
 * Returns the requests to the wallet to sign or send.
 *
 * @param {import('../kit/wallet/testWallet.mjs').TestWallet} wallet
 */
function asked(wallet) {
  return wallet.requests.map(({ method }) => method).filter((method) => /send|sign/i.test(method))
}

/**
 * Confirms the preview and waits until exactly the previewed amount was received.
 *
 * @param {{ modal: import('../kit/modal.mjs').Modal, wallet: import('../kit/wallet/testWallet.mjs').TestWallet
 * }} scene
 * @param {{ sell: string, buy: string }} swap
 */
async function swapAsQuoted({ modal, wallet }, { sell, buy }) {
  const { decimals } = devnet.token(buy)
  const before = await devnet.tokenBalance(buy, wallet.address)
  const quoted = parseUnits(await modal.quotedAmount(), decimals)
  await modal.press('swap-confirm-button')
  await modal.isSwapped(new RegExp(`^Swapped [\\d,.]+ ${sell} for [\\d,.]+ ${buy}$`))
  const after = await devnet.tokenBalance(buy, wallet.address)
  assert.equal(after - before, quoted, 'what was paid is what was quoted, to the unit')
  return after
}

describe('swapping', () => {
  mainJourney('the native currency for a token pays what was quoted', { account: 2 }, async (scene) => {
    const { modal, wallet } = scene
    const swap = { sell: 'ETH', buy: 'tUSD', amount: '1.000000000000000001' }
    await modal.connect(wallet)
    await modal.prepareSwap(swap)
    assert.match(
      (await modal.find('swap-preview-sourceToken').textContent()) ?? '',
      /^1\.000000000000000001\s/,
    )
    const held = await swapAsQuoted(scene, swap)
    assert.deepEqual(asked(wallet), ['eth_sendTransaction'])
    await modal.tokenIs('tUSD', formatUnits(held, 6))
    await modal.nativeBalanceIs(formatEther(await devnet.balance(wallet.address)))
  })

  mainJourney('a token approves exactly what is sold, and then swaps', {}, async (scene) => {
    const { modal, wallet } = scene
    const swap = { sell: 'tUSD', buy: 'tDAI', amount: '1234.567891' }
    await modal.connect(wallet)
    await modal.prepareSwap(swap)
    await modal.find('swap-step-approve').waitFor()
    const sold = await devnet.tokenBalance('tUSD', wallet.address)
    await swapAsQuoted(scene, swap)
    assert.deepEqual(asked(wallet), ['eth_sendTransaction', 'eth_sendTransaction'])
    assert.equal(sold - (await devnet.tokenBalance('tUSD', wallet.address)), 1_234_567_891n)
    for (const router of devnet.routers)
      assert.equal(await devnet.allowance('tUSD', wallet.address, router), 0n, 'nothing stays approved')
  })

  journey(
    'a token for the native currency leaves no wrapped remainder',
    { account: 1 },
    async ({ modal, wallet }) => {
      const wrapped = await devnet.tokenBalance('WETH', wallet.address)
      const before = await devnet.balance(wallet.address)
      await modal.connect(wallet)
      await modal.prepareSwap({ sell: 'tUSD', buy: 'ETH', amount: '1000' })
      await modal.press('swap-confirm-button')
      await modal.isSwapped(/^Swapped 1,000 tUSD for 0\.\d+ ETH$/)
      assert.ok((await devnet.balance(wallet.address)) > before)
      assert.equal(await devnet.tokenBalance('WETH', wallet.address), wrapped)
    },
  )

  journey('a token that requires it gets its approval reset first', { account: 1 }, async (scene) => {
    const { modal, wallet } = scene
    const swap = { sell: 'tUSDT', buy: 'tDAI', amount: '12.5' }
    for (const router of devnet.routers) await approveLittle(wallet, 'tUSDT', router)
    await modal.connect(wallet)
    await modal.prepareSwap(swap)
    await modal.find('swap-step-reset').waitFor()
    await swapAsQuoted(scene, swap)
    assert.equal(asked(wallet).length, 3)
  })

  mainJourney('a token that takes permits is signed for, not approved', { account: 2 }, async (scene) => {
    const { modal, wallet } = scene
    const swap = { sell: 'tGOLD', buy: 'WETH', amount: '0.12345678' }
    await modal.connect(wallet)
    await modal.prepareSwap(swap)
    await modal.find('swap-step-permit').waitFor()
    await swapAsQuoted(scene, swap)
    assert.deepEqual(asked(wallet), ['eth_signTypedData_v4', 'eth_sendTransaction'])
  })

  const smart = { wallets: () => [walletOf({ account: 0, smart: true })] }
  journey('a smart account approves and swaps at once', smart, async (scene) => {
    const { modal, wallet } = scene
    const swap = { sell: 'tDAI', buy: 'tUSD', amount: '5000' }
    const nonce = await devnet.client.getTransactionCount({ address: wallet.address })
    await modal.connect(wallet)
    await modal.prepareSwap(swap)
    assert.equal(await modal.find('swap-steps').count(), 0)
    await swapAsQuoted(scene, swap)
    assert.deepEqual(asked(wallet), ['wallet_sendCalls'])
    assert.ok((await devnet.client.getTransactionCount({ address: wallet.address })) <= nonce + 2)
  })

  for (const { what, ...swap } of [
    { what: 'the native currency', sell: 'ETH', buy: 'tGOLD', amount: '100' },
    { what: 'a token', sell: 'tUSD', buy: 'tGOLD', amount: '20000' },
  ]) {
    journey(`a smart account trades ${what} on several exchanges at once`, smart, async (scene) => {
      const { modal, wallet } = scene
      await modal.connect(wallet)
      await modal.prepareSwap(swap)
      await modal.press('swap-details')
      const venues = await modal.find('swap-route').locator('.hw-route-venue').allTextContents()
      assert.ok(new Set(venues.map((venue) => venue.replace(/ v\d$/, ''))).size > 1, venues.join(', '))
      await swapAsQuoted(scene, swap)
      assert.deepEqual(asked(wallet), ['wallet_sendCalls'])
    })
  }

  journey('the native currency for its own token is one for one', { account: 2 }, async (scene) => {
    const { modal, wallet } = scene
    const swap = { sell: 'ETH', buy: 'WETH', amount: '0.100000000000000001' }
    await modal.connect(wallet)
    await modal.prepareSwap(swap)
    assert.equal(await modal.quotedAmount(), swap.amount)
    await swapAsQuoted(scene, swap)
  })

  journey('all of the native currency leaves the gas', { account: 3 }, async (scene) => {
    const { modal, wallet } = scene
    await devnet.setBalance(wallet.address, 2_000_000_000_000_000_000n)
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.press('wallet-features-swaps-button')
    await modal.shows('Swap')
    await modal.chooseSwapToken('toToken', 'tDAI')
    await modal.press('swap-max-button')
    await modal.readyToSwap()
    await modal.press('swap-action-button')
    await modal.readyToConfirmSwap()
    await swapAsQuoted(scene, { sell: 'ETH', buy: 'tDAI' })
    const left = await devnet.balance(wallet.address)
    assert.ok(left < 20_000_000_000_000_000n, `${formatEther(left)} ETH is more than gas`)
  })

  journey('is shown in the history', { account: 4 }, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.prepareSwap({ sell: 'ETH', buy: 'tUSD', amount: '0.25' })
    await modal.press('swap-confirm-button')
    await modal.isSwapped(/^Swapped 0\.25 ETH for [\d,.]+ tUSD$/)
    await modal.press('tab-activity')
    await modal.card.getByText('Swapped', { exact: true }).first().waitFor()
  })
})

describe('a quote', () => {
  journey('follows the blocks while it is idle', { account: 6 }, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openSwap({ sell: 'ETH', buy: 'tUSD', amount: '1' })
    await modal.readyToSwap()
    const shown = () => modal.find('swap-input-token-toToken').textContent()
    const before = Number((await shown())?.replaceAll(',', ''))
    await devnet.sellEther('tUSD', 60_000_000_000_000_000_000n)
    await eventually(async () => {
      const after = Number((await shown())?.replaceAll(',', ''))
      assert.ok(after < before, `${after} is not less than ${before}`)
    }, 8_000)
    await modal.readyToSwap()
  })

  journey('shows its source and its route', { account: 2 }, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openSwap({ sell: 'ETH', buy: 'tGOLD', amount: '2' })
    await modal.readyToSwap()
    await modal.press('swap-details')
    for (const row of ['price-impact', 'minimum', 'network-fee', 'provider-fee', 'bound', 'source'])
      await modal.find(`swap-${row}`).waitFor()
    await modal.find('swap-route').waitFor()
    await modal.press('swap-slippage-button')
    const minimum = () => modal.find('swap-minimum').locator('.hw-amount').getAttribute('title')
    const usual = await minimum()
    await modal.find('swap-slippage-10').press(' ')
    await eventually(async () => assert.notEqual(await minimum(), usual))
  })

  // A browser logs every refused request on its console.
  const refused = /Failed to load resource: the server responded with a status of 400/
  for (const { what, sell, buy, amount, says } of [
    {
      what: 'more than there is',
      sell: 'tUSD',
      buy: 'tDAI',
      amount: '2000000',
      says: 'Insufficient balance',
    },
    {
      what: 'more than the pools hold',
      sell: 'HUGE',
      buy: 'tUSD',
      amount: '300000000000000000000',
      says: 'Insufficient liquidity',
    },
    { what: 'a token that keeps a part', sell: 'ETH', buy: 'TAX', amount: '0.1', says: 'Token takes a fee' },
    {
      what: 'a token that nobody trades',
      sell: 'ETH',
      buy: 'BURN',
      amount: '0.1',
      says: 'No route between these tokens',
    },
    {
      what: 'next to nothing',
      sell: 'tDAI',
      buy: 'tUSD',
      amount: '0.000000000000000001',
      says: 'Amount too small',
    },
  ]) {
    journey(`of ${what} says so`, { expectedErrors: refused }, async ({ modal, wallet }) => {
      await modal.connect(wallet)
      await modal.openSwap({ sell, buy, amount })
      await modal.swapButtonSays(says)
    })
  }

  journey('where nothing is left for gas says so', { account: 4 }, async ({ modal, wallet }) => {
    await devnet.setBalance(wallet.address, 1_000_000_000_000_000n)
    await modal.connect(wallet)
    await modal.openSwap({ sell: 'ETH', buy: 'tUSD', amount: '0.000999' })
    await modal.swapButtonSays('Insufficient balance for network fee')
  })

  const expectedErrors = /ERR_FAILED|Failed to load resource|ERR_CONNECTION/
  journey('that cannot be requested says so', { expectedErrors }, async ({ context, modal, wallet }) => {
    await modal.connect(wallet)
    await context.route(/ListQuotes|WatchQuote/, (route) => route.abort())
    await modal.openSwap({ sell: 'ETH', buy: 'tUSD', amount: '1' })
    await modal.swapButtonSays('Quote unavailable')
    await context.unroute(/ListQuotes|WatchQuote/)
    await modal.find('swap-notice').getByRole('button').click()
    await modal.readyToSwap()
  })
})

describe('a swap in the middle', () => {
  journey('is kept when the wallet declines', { account: 2 }, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.prepareSwap({ sell: 'ETH', buy: 'tUSD', amount: '0.5' })
    wallet.approvals.rejectNext()
    await modal.press('swap-confirm-button')
    await modal.says('You declined. Nothing was sent.')
    await modal.shows('SwapPreview')
    assert.match((await modal.find('swap-preview-sourceToken').textContent()) ?? '', /^0\.5\s/)
  })

  journey('continues from its approval after a reload', { account: 1 }, async (scene) => {
    const { page, modal, wallet } = scene
    const swap = { sell: 'tUSD', buy: 'tDAI', amount: '77.7' }
    await modal.connect(wallet)
    await modal.prepareSwap(swap)
    await modal.find('swap-step-approve').waitFor()
    const approval = wallet.approvals.holdNext()
    const prompt = wallet.approvals.holdNext()
    await modal.press('swap-confirm-button')
    await approval.opened
    approval.approve()
    await prompt.opened
    await page.reload()
    prompt.reject()
    await modal.accountButton.waitFor()
    await modal.prepareSwap(swap)
    assert.equal(await modal.find('swap-steps').count(), 0)
    await swapAsQuoted(scene, swap)
  })

  journey('is followed to its end over a reload', { account: 2 }, async (scene) => {
    const { page, context, modal, wallet } = scene
    await modal.connect(wallet)
    await modal.prepareSwap({ sell: 'ETH', buy: 'tUSD', amount: '0.25' })
    const release = await withholdReceipts(context)
    await modal.press('swap-confirm-button')
    await modal
      .find('transaction-label')
      .getByText(/^Swapping 0\.25 ETH for [\d,.]+ tUSD$/)
      .waitFor()
    await page.reload()
    await release()
    await modal.toast.getByText(/^Swapped 0\.25 ETH for [\d,.]+ tUSD$/).waitFor()
  })

  const expectedErrors = /status of 400/
  journey(
    'starts again on another network, which may have no swaps',
    { expectedErrors },
    async ({ modal, wallet }) => {
      await modal.connect(wallet)
      await modal.openSwap({ sell: 'ETH', buy: 'tUSD', amount: '1' })
      await modal.readyToSwap()
      wallet.switchChain(31338)
      await modal.card.getByText('Network not supported for Swaps', { exact: true }).waitFor()
      assert.equal(await modal.find('w3m-network-switch-Devnet Two').count(), 0)
      await modal.press('w3m-network-switch-Devnet')
      await modal.shows('Swap')
      await modal.swapButtonSays('Select token')
    },
  )

  journey('starts with the site’s arguments', { account: 2 }, async ({ page, modal, wallet }) => {
    await modal.connect(wallet)
    await page.getByTestId('lab-swap-fromToken').fill('tGOLD')
    await page.getByTestId('lab-swap-toToken').fill(devnet.token('tDAI').address)
    await page.getByTestId('lab-swap-amount').fill('0.5')
    await page.getByTestId('open-swap-button').click()
    await modal.readyToSwap()
    assert.equal(await modal.find('swap-input-token-sourceToken').inputValue(), '0.5')
  })
})

describe('on a phone', () => {
  const phone = {
    account: 2,
    browser: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  }

  journey('a swap fits, to its last button', phone, async (scene) => {
    const { modal, wallet, page } = scene
    const swap = { sell: 'ETH', buy: 'tUSD', amount: '0.123456789012345678' }
    await modal.connect(wallet)
    await modal.prepareSwap(swap)
    const { width } = (await modal.card.boundingBox()) ?? { width: 0 }
    assert.equal(width, 390)
    const box = await modal.find('swap-confirm-button').boundingBox()
    assert.ok(box && box.y + box.height <= 844, 'the last button is in sight')
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.equal(overflow, 0)
    await swapAsQuoted(scene, swap)
  })
})

/**
 * Approves an amount that is too small for the swap, as if on another day.
 *
 * @param {import('../kit/wallet/testWallet.mjs').TestWallet} wallet
 * @param {string} symbol
 * @param {`0x${string}`} spender
 */
async function approveLittle(wallet, symbol, spender) {
  const { createWalletClient, http } = await import('viem')
  const { privateKeyToAccount } = await import('viem/accounts')
  const [owner] = wallet.accounts
  if (!owner) throw new Error('the wallet has no account')
  const hash = await createWalletClient({
    account: privateKeyToAccount(owner.privateKey),
    transport: http(devnet.rpcUrl),
  }).writeContract({
    chain: null,
    address: devnet.token(symbol).address,
    abi: erc20Abi,
    functionName: 'approve',
    args: [spender, 1n],
  })
  await receiptOf(devnet.client, hash)
}
