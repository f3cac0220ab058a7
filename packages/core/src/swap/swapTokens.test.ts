import { describe, expect, it } from 'vitest'
import { swapText } from '../activity/sentTexts.ts'
import { goBack } from '../router/navigate.ts'
import { Refusal } from '../testing/connectRouter.ts'
import { settle } from '../testing/fakeClock.ts'
import { quoteOf, ROUTER, swapData, type TransactionBody } from '../testing/fakeConversions.ts'
import { ALICE, BOB, deferred, walletError } from '../testing/fakeWallet.ts'
import type { Kit } from '../testing/kit.ts'
import {
  askedOfWallet,
  HASH,
  previewingSwap,
  readinessOf,
  requestsFor,
  toastAfter,
} from '../testing/swapping.ts'
import { DOLLAR_ADDRESS, ETHER_ID } from '../testing/tokens.ts'
import { setSwapSlippage } from './edit.ts'
import { SwapError } from './order.ts'
import { swapTokens } from './swapTokens.ts'

const sellEther = { fromToken: 'ETH', toToken: 'tUSD', amount: '0.5' }
const sellDollars = { fromToken: 'tUSD', toToken: 'ETH', amount: '10' }

/** What the view of the last transaction says. */
function shownSwap({ hawser }: Kit): string | undefined {
  const { sent } = hawser.send.getState()
  return sent && swapText(sent)
}

describe('selling the native currency', () => {
  it('needs no approval: one transaction with exactly the amount', async () => {
    const kit = await previewingSwap(sellEther)
    expect(await swapTokens(kit.hawser)).toBe(HASH)
    expect(askedOfWallet(kit)).toEqual([
      {
        method: 'eth_sendTransaction',
        params: [
          {
            from: ALICE,
            to: ROUTER,
            data: swapData(kit.gateway.conversions.built[0] as TransactionBody),
            value: '0x6f05b59d3b20000',
            chainId: '0x7a69',
            gas: '0x2f9b8',
          },
        ],
      },
    ])
    expect(requestsFor(kit, '/GetAllowance ')).toEqual([])
  })

  it('is built from the quote that was seen, on the terms that were shown', async () => {
    const kit = await previewingSwap(sellEther)
    setSwapSlippage(kit.hawser, 50)
    await swapTokens(kit.hawser)
    expect(kit.gateway.conversions.built).toMatchObject([
      {
        amount: '500000000000000000',
        from: ETHER_ID,
        userAddress: `eip155:31337:${ALICE}`,
        quoteId: 'onchain.0',
        toAmountMin: '995000000',
        eip155: { slippageBps: 50 },
      },
    ])
  })

  it('shows that the swap is under way, and then how much came', async () => {
    const kit = await previewingSwap(sellEther)
    let receipt: unknown = null
    kit.gateway.node.eth_getTransactionReceipt = () => receipt
    await swapTokens(kit.hawser)
    expect(kit.hawser.router.getState().history).toEqual(['Account', 'TransactionStatus'])
    expect(kit.hawser.swap.getState()).toMatchObject({ status: 'draft', sourceTokenAmount: '' })
    expect(shownSwap(kit)).toBe('Swapping 0.5 ETH for 1,000 tUSD')
    await kit.clock.advance(119_000)
    expect(shownSwap(kit)).toBe('Swapping 0.5 ETH for 1,000 tUSD')

    receipt = { status: '0x1' }
    kit.hawser.push.setState({ activityChanges: 7 })
    await settle()
    expect(shownSwap(kit)).toBe('Swapped 0.5 ETH for 1,000 tUSD')
    expect(kit.hawser.toast.getState().open).toBe(false)
    expect(kit.events.find(({ event }) => event === 'SWAP_SUCCESS')).toMatchObject({
      properties: {
        network: 'eip155:31337',
        swapFromToken: 'ETH',
        swapToToken: 'tUSD',
        swapFromAmount: '0.5',
        swapToAmount: '1000',
        isSmartAccount: false,
        hash: HASH,
      },
    })
    const forced = requestsFor(kit, '/GetBalance ').at(-1)
    expect(forced).toContain(`"forceUpdate":"${ETHER_ID},eip155:31337:${DOLLAR_ADDRESS}`)
  })

  it('says how much came, when it is not what was expected', async () => {
    const kit = await previewingSwap(sellEther)
    const padded = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
    const transfer = (address: string, to: string, amount: number) => ({
      address,
      topics: [
        '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
        padded(ROUTER),
        padded(to),
      ],
      data: `0x${amount.toString(16).padStart(64, '0')}`,
    })
    kit.gateway.node.eth_getTransactionReceipt = () => ({
      status: '0x1',
      logs: [
        transfer(DOLLAR_ADDRESS, ALICE, 900_000_000),
        transfer(DOLLAR_ADDRESS.toLowerCase(), ALICE, 98_700_001),
        transfer(DOLLAR_ADDRESS, BOB, 7_000_000),
        transfer(ROUTER, ALICE, 5_000_000),
      ],
    })
    await swapTokens(kit.hawser)
    await settle()
    expect(shownSwap(kit)).toBe('Swapped 0.5 ETH for 998.700001 tUSD')
  })

  it('is reported by toasts when its view was left', async () => {
    const kit = await previewingSwap(sellEther)
    let receipt: unknown = null
    kit.gateway.node.eth_getTransactionReceipt = () => receipt
    await swapTokens(kit.hawser)
    goBack(kit.hawser)
    await kit.clock.advance(1_000)
    receipt = { status: '0x1' }
    kit.hawser.push.setState({ activityChanges: 7 })
    await settle()
    expect(await toastAfter(kit)).toBe('Swapped 0.5 ETH for 1,000 tUSD')
  })

  it('is shown as a pending trade from the moment the wallet has sent it', async () => {
    const kit = await previewingSwap(sellEther)
    kit.gateway.node.eth_getTransactionReceipt = () => null
    await swapTokens(kit.hawser)
    expect(kit.hawser.activity.getState().sent).toMatchObject([
      {
        transaction: {
          metadata: { hash: HASH, status: 'pending', operationType: 'trade' },
          transfers: [
            { direction: 'out', quantity: { numeric: '0.5' }, fungibleInfo: { symbol: 'ETH' } },
            { direction: 'in', quantity: { numeric: '1000' }, fungibleInfo: { symbol: 'tUSD' } },
          ],
        },
      },
    ])
  })

  it('that reverts says so', async () => {
    const kit = await previewingSwap(sellEther)
    kit.gateway.node.eth_getTransactionReceipt = () => ({ status: '0x0' })
    await swapTokens(kit.hawser)
    await settle()
    expect(kit.hawser.send.getState().sent?.transaction.metadata.status).toBe('failed')
    expect(kit.eventNames()).toContain('SWAP_ERROR')
    expect(kit.eventNames()).not.toContain('SWAP_SUCCESS')
  })

  it('never reports a timeout of a transaction that is not mined for long', async () => {
    const kit = await previewingSwap(sellEther)
    kit.gateway.node.eth_getTransactionReceipt = () => null
    await swapTokens(kit.hawser)
    await kit.clock.advance(140_000)
    expect(kit.hawser.toast.getState().open).toBe(false)
    expect(kit.eventNames()).not.toContain('SWAP_ERROR')
  })
})

describe('a swap that does not happen', () => {
  it('because the visitor declined keeps what was typed', async () => {
    const kit = await previewingSwap(sellEther)
    kit.wallet.answers.eth_sendTransaction = () => {
      throw walletError(4001, 'User rejected the request.')
    }
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(await toastAfter(kit)).toBe('You declined. Nothing was sent.')
    expect(kit.hawser.router.getState().view).toBe('SwapPreview')
    await settle()
    expect(readinessOf(kit)).toBe('ready')
    expect(kit.hawser.swap.getState()).toMatchObject({ status: 'draft', sourceTokenAmount: '0.5' })
  })

  it('because a contract refuses it, as the wallet found out, says the reason', async () => {
    const kit = await previewingSwap(sellEther)
    kit.wallet.answers.eth_sendTransaction = () => {
      throw walletError(3, 'execution reverted: Too little received')
    }
    await swapTokens(kit.hawser)
    expect(await toastAfter(kit)).toBe('The contract refused it: Too little received')
  })

  it.each([
    ['the gateway says so', () => Promise.reject(new Refusal(400, 'PRICE_MOVED'))],
    ['less is promised than was shown', () => ({ amount: '989999999', toAmountMin: '989999999' })],
  ])('because the price moved shows the new quote and asks again: %s', async (_, transaction) => {
    const kit = await previewingSwap(sellEther, ({ gateway }) => {
      gateway.conversions.transaction = transaction
    })
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(askedOfWallet(kit)).toEqual([])
    expect(kit.hawser.toast.getState().message).toBe('The price moved. Review the new quote.')
    expect(kit.hawser.swap.getState()).toMatchObject({ status: 'draft', hasPriceMoved: true })
    await settle()
    expect(requestsFor(kit, '/ListQuotes ').length).toBeGreaterThan(1)
  })

  it.each([
    ['another amount of the native currency', { value: '500000000000000001' }],
    ['something that is no contract', { to: 'eip155:31337:0x' }],
  ])('because the gateway built one that sends %s', async (_, change) => {
    const kit = await previewingSwap(sellEther, ({ gateway }) => {
      gateway.conversions.transaction = ({ toAmountMin }) => ({
        amount: '1000000000',
        toAmountMin,
        ...change,
      })
    })
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(askedOfWallet(kit)).toEqual([])
    expect(kit.hawser.toast.getState().message).toBe('This isn’t what you reviewed. Nothing was sent.')
    expect(kit.hawser.swap.getState()).toMatchObject({
      status: 'draft',
      refusal: { message: expect.any(String), key: expect.any(String) },
    })
  })

  it.each([
    ['BALANCE_INSUFFICIENT', 'Insufficient balance'],
    ['CHAIN_UNSUPPORTED', 'Network not supported for Swaps'],
    ['TRANSACTION_REVERTS', 'Failed to create transaction'],
  ])('because the gateway answers %s says %j', async (code, message) => {
    const kit = await previewingSwap(sellEther, ({ gateway }) => {
      gateway.conversions.transaction = () => {
        throw new Refusal(400, code)
      }
    })
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(kit.hawser.toast.getState().message).toBe(message)
  })

  it('because the allowance cannot be read says so', async () => {
    const kit = await previewingSwap(sellDollars, ({ gateway }) => {
      gateway.conversions.allowance = () => {
        throw new Refusal(503, 'CHAIN_UNAVAILABLE')
      }
    })
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(kit.hawser.toast.getState().message).toBe('Failed to check allowance')
  })

  it('because it is not ready, or another one is in progress', async () => {
    const kit = await previewingSwap(sellEther)
    kit.wallet.answers.eth_sendTransaction = () => deferred<string>().promise
    void swapTokens(kit.hawser)
    await expect(swapTokens(kit.hawser)).rejects.toBeInstanceOf(SwapError)
    goBack(kit.hawser)
  })

  it('is not signed on another network than the one shown', async () => {
    const kit = await previewingSwap(sellEther)
    kit.wallet.answers.eth_chainId = () => '0x1'
    expect(await swapTokens(kit.hawser)).toBe(undefined)
    expect(askedOfWallet(kit)).toEqual([])
  })

  it('does not change the quote while the wallet prompts', async () => {
    const kit = await previewingSwap(sellEther)
    kit.wallet.answers.eth_sendTransaction = () => deferred<string>().promise
    void swapTokens(kit.hawser)
    await settle()
    const before = requestsFor(kit, '/ListQuotes ').length
    kit.gateway.conversions.quote = (question) => ({ ...quoteOf(question), toAmount: '1' })
    await kit.clock.advance(60_000)
    expect(requestsFor(kit, '/ListQuotes ')).toHaveLength(before)
  })
})
