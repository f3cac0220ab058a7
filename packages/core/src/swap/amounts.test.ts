import { fromJson } from '@bufbuild/protobuf'
import { messageData } from '@hawser/client'
import { QuoteSchema } from '@hawser/client/convert'
import { describe, expect, it } from 'vitest'
import { quoteOf } from '../testing/fakeConversions.ts'
import { ETHER_ID } from '../testing/tokens.ts'
import type { SwapQuote, SwapToken } from '../types/swap.ts'
import { minimumReceived, parseSlippage, slippageBps, swapRate } from './amounts.ts'
import { readQuote } from './quote.ts'

const DOLLAR_ID = 'eip155:31337:0x5FbDB2315678afecb367f032d93F642f64180aa3'

function quote(change: Partial<SwapQuote> = {}): SwapQuote {
  return {
    ...readQuote(messageData(fromJson(QuoteSchema, quoteOf({ amount: '1', from: ETHER_ID, to: DOLLAR_ID })))),
    ...change,
  }
}

function token(decimals: number): SwapToken {
  return { name: '', symbol: '', address: '', decimals, iconUrl: '', eip2612: false }
}

describe('the minimum received', () => {
  it.each([
    [1_000_000n, 100, 990_000n],
    [1_000_001n, 100, 990_000n],
    [3n, 1, 2n],
    [1n, 100, 0n],
    [2n ** 256n - 1n, 5_000, 2n ** 255n - 1n],
    [123_456_789_012_345_678_901_234_567_890n, 10, 123_333_332_223_333_333_222_333_333_322n],
  ])('of %s base units at %s hundredths of a percent is %s, cut and exact', (toAmount, bps, least) => {
    expect(minimumReceived(quote({ toAmount }), bps)).toBe(least)
  })
})

describe('a tolerance', () => {
  it.each([
    ['1', 100],
    ['0.5', 50],
    ['0.1', 10],
    ['0.01', 1],
    ['50', 5_000],
    ['12.34', 1_234],
  ])('of %s percent is %s hundredths of a percent', (text, bps) => {
    expect(parseSlippage(text)).toBe(bps)
  })

  it.each(['', '0', '1,000', '0.001', '50.01', '-1', '1e1', 'one', '.'])('is not %j', (text) => {
    expect(parseSlippage(text)).toBe(undefined)
  })

  it('that is automatic follows the price impact, and is never more than 1 percent', () => {
    expect(slippageBps('auto', quote({ priceImpact: 0 }))).toBe(30)
    expect(slippageBps('auto', quote({ priceImpact: -0.4 }))).toBe(30)
    expect(slippageBps('auto', quote({ priceImpact: 0.1 }))).toBe(60)
    expect(slippageBps('auto', quote({ priceImpact: 12 }))).toBe(100)
    expect(slippageBps('auto', quote({ priceImpact: undefined }))).toBe(100)
    expect(slippageBps('auto', undefined)).toBe(100)
    expect(slippageBps(250, quote())).toBe(250)
  })
})

describe('the rate', () => {
  it('is exact where the amounts allow it', () => {
    const rate = swapRate(
      quote({ fromAmount: 5n * 10n ** 17n, toAmount: 1_000_000_000n }),
      token(18),
      token(6),
    )
    expect(rate).toBe('2000')
  })

  it('keeps digits that the bought token itself does not have', () => {
    const shib = quote({ fromAmount: 10n ** 24n, toAmount: 12_345_678n })
    expect(swapRate(shib, token(18), token(6))).toBe('0.000012345678')
  })

  it('is undefined when nothing is sold', () => {
    expect(swapRate(quote({ fromAmount: 0n }), token(18), token(6))).toBe(undefined)
  })
})
