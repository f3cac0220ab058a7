import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { devnet, freshAddress } from '../kit/chain.mjs'
import { eventually } from '../kit/eventually.mjs'
import { journey } from '../kit/journey.mjs'

/**
 * Waits until the view of the sent transaction has an outcome, and returns its texts and its hash.
 *
 * @param {import('../kit/modal.mjs').Modal} modal
 * @param {'confirmed' | 'failed'} status
 */
async function outcome(modal, status) {
  await modal.page.locator(`[data-testid="transaction-status"][data-status="${status}"]`).waitFor()
  return {
    label: await modal.find('transaction-label').textContent(),
    detail: await modal.page.locator('.hw-waiting-detail').textContent(),
    hash: await modal.find('transaction-hash').getAttribute('title'),
  }
}

/** @param {`0x${string}`} address */
const pendingNonce = (address) => devnet.client.getTransactionCount({ address, blockTag: 'pending' })

/**
 * Presses a button, and waits until the wallet's transaction waits at the node and the page follows it.
 *
 * @param {{ modal: import('../kit/modal.mjs').Modal, wallet: import('../kit/wallet/testWallet.mjs').TestWallet }} scene
 * @param {string} button
 */
async function sendWithoutBlock({ modal, wallet }, button) {
  const nonce = await pendingNonce(wallet.address)
  await modal.press(button)
  await modal.page.locator('[data-testid="transaction-status"][data-status="pending"]').waitFor()
  await eventually(async () => assert.equal(await pendingNonce(wallet.address), nonce + 1))
  // The page has read the transaction from the node once its storage has the nonce.
  await modal.page.waitForFunction(() =>
    Object.values(localStorage).some((value) => /"call":\{[^}]*"nonce":/.test(value)),
  )
}

describe('a transaction that waits', () => {
  journey('ends as sent when the wallet speeds it up', { account: 2 }, async (scene) => {
    const { modal, wallet } = scene
    const to = freshAddress()
    await modal.connect(wallet)
    await modal.prepareSend({ symbol: 'ETH', amount: '0.25', to })
    await devnet.withoutBlocks(async (mine) => {
      await sendWithoutBlock(scene, 'send-confirm-button')
      const hash = await wallet.speedUp()
      await mine()
      assert.deepEqual(await outcome(modal, 'confirmed'), {
        label: `Sent 0.25 ETH to ${to.slice(0, 8)}…${to.slice(-6)}`,
        detail: 'Your wallet sent it again with another fee. The network has confirmed it.',
        hash,
      })
    })
    assert.equal(await devnet.balance(to), 250_000_000_000_000_000n)
  })

  journey('ends as cancelled when the wallet cancels it', {}, async (scene) => {
    const { modal, wallet } = scene
    const to = freshAddress()
    await modal.connect(wallet)
    await modal.prepareSend({ symbol: 'tUSD', amount: '1.5', to })
    await devnet.withoutBlocks(async (mine) => {
      await sendWithoutBlock(scene, 'send-confirm-button')
      const hash = await wallet.cancel()
      await mine()
      assert.deepEqual(await outcome(modal, 'failed'), {
        label: 'Transaction cancelled',
        detail:
          'Your wallet cancelled it. Nothing was sent; only the network fee of the cancellation was charged.',
        hash,
      })
    })
    assert.equal(await devnet.tokenBalance('tUSD', to), 0n)
  })

  journey('is found as sped up after a reload', { account: 2 }, async (scene) => {
    const { modal, wallet, page } = scene
    const to = freshAddress()
    await modal.connect(wallet)
    await modal.prepareSend({ symbol: 'ETH', amount: '0.125', to })
    await devnet.withoutBlocks(async (mine) => {
      await sendWithoutBlock(scene, 'send-confirm-button')
      await wallet.speedUp()
      await mine()
      await page.reload()
      await modal.says(`Sent 0.125 ETH to ${to.slice(0, 8)}…${to.slice(-6)}`)
    })
  })

  journey('of a swap ends as cancelled, or as swapped when it is sped up', { account: 1 }, async (scene) => {
    const { modal, wallet } = scene
    await modal.connect(wallet)
    await modal.prepareSwap({ sell: 'ETH', buy: 'tUSD', amount: '0.5' })
    await devnet.withoutBlocks(async (mine) => {
      await sendWithoutBlock(scene, 'swap-confirm-button')
      await wallet.cancel()
      await mine()
      assert.equal((await outcome(modal, 'failed')).label, 'Transaction cancelled')
    })
    await modal.press('w3m-header-close')
    await modal.isClosed()
    const held = await devnet.tokenBalance('tUSD', wallet.address)
    await modal.prepareSwap({ sell: 'ETH', buy: 'tUSD', amount: '0.5' })
    await devnet.withoutBlocks(async (mine) => {
      await sendWithoutBlock(scene, 'swap-confirm-button')
      const hash = await wallet.speedUp()
      await mine()
      const end = await outcome(modal, 'confirmed')
      assert.match(end.label ?? '', /^Swapped 0\.5 ETH for [\d,.]+ tUSD$/)
      assert.equal(end.hash, hash)
    })
    assert.ok((await devnet.tokenBalance('tUSD', wallet.address)) > held)
  })
})
