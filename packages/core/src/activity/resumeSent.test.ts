import { describe, expect, it, vi } from 'vitest'
import { sendToken } from '../send/sendToken.ts'
import { swapTokens } from '../swap/swapTokens.ts'
import { settle } from '../testing/fakeClock.ts'
import { DOLLAR } from '../testing/fakeGateway.ts'
import { BOB } from '../testing/fakeWallet.ts'
import { createKit, type Kit } from '../testing/kit.ts'
import { previewing } from '../testing/previewing.ts'
import { HASH, previewingSwap } from '../testing/swapping.ts'

/** Returns a kit of the same browser after a reload of the page. */
async function reloaded({ storage, wallet, gateway, clock }: Kit): Promise<Kit> {
  const kit = createKit({ storage, clock, fetch: gateway.fetch }, wallet)
  kit.hawser.mount()
  await vi.waitFor(() => expect(kit.hawser.connection.getState().status).toBe('connected'))
  await settle()
  return { ...kit, gateway, clock, storage }
}

const pending = (kit: Kit) => {
  kit.gateway.node.eth_getTransactionReceipt = () => null
}

describe('a transaction that was in no block when the page was reloaded', () => {
  it('is pending in the history again, and its outcome is reported', async () => {
    const before = await previewing(DOLLAR, '1.25')
    pending(before)
    await sendToken(before.hawser)
    const kit = await reloaded(before)
    await vi.waitFor(() => expect(kit.hawser.activity.getState().sent).toHaveLength(1))
    expect(kit.hawser.activity.getState().sent).toMatchObject([
      { transaction: { metadata: { hash: HASH, status: 'pending', sentTo: BOB } } },
    ])
    kit.gateway.node.eth_getTransactionReceipt = () => ({ status: '0x1' })
    await settle()
    await kit.clock.advance(10_000)
    expect(kit.hawser.toast.getState()).toMatchObject({
      message: 'Sent 1.25 tUSD to 0x709979…dc79C8',
      variant: 'success',
    })
    expect((await reloaded(kit)).hawser.activity.getState().sent).toEqual([])
  })

  it('that swaps says what came', async () => {
    const before = await previewingSwap({ fromToken: 'ETH', toToken: 'tUSD', amount: '0.5' }, pending)
    await swapTokens(before.hawser)
    const kit = await reloaded(before)
    await vi.waitFor(() => expect(kit.hawser.activity.getState().sent).toHaveLength(1))
    kit.gateway.node.eth_getTransactionReceipt = () => ({ status: '0x1' })
    await settle()
    await kit.clock.advance(10_000)
    expect(kit.hawser.toast.getState().message).toBe('Swapped 0.5 ETH for 1,000 tUSD')
    expect(kit.events.find(({ event }) => event === 'SWAP_SUCCESS')).toMatchObject({
      properties: { swapFromToken: 'ETH', swapToToken: 'tUSD', swapFromAmount: '0.5', hash: HASH },
    })
  })

  it('is not reported to another account of the browser', async () => {
    const before = await previewing(DOLLAR, '1.25')
    pending(before)
    await sendToken(before.hawser)
    before.wallet.accounts = [BOB]
    const kit = await reloaded(before)
    expect(kit.hawser.activity.getState().sent).toEqual([])
  })

  it('is forgotten after a day', async () => {
    const before = await previewing(DOLLAR, '1.25')
    pending(before)
    await sendToken(before.hawser)
    await before.clock.advance(86_400_001)
    const kit = await reloaded(before)
    expect(kit.hawser.activity.getState().sent).toEqual([])
  })
})
