import { describe, expect, it } from 'vitest'
import { quoteOf } from '../testing/fakeConversions.ts'
import { swapping } from '../testing/swapping.ts'
import { type SwapLoss, swapLoss } from './loss.ts'

interface Terms {
  /** Output for half an ether worth 1,000 dollars, in base units of a dollar token. */
  toAmount?: string
  priceImpact?: number
  /** US dollars per dollar token. */
  price?: number
}

async function lossOf({
  toAmount = '1000000000',
  priceImpact,
  price = 1,
}: Terms): Promise<SwapLoss | undefined> {
  const { hawser } = await swapping({ toToken: 'tUSD', amount: '0.5' }, ({ gateway }) => {
    gateway.conversions.quote = (question) => {
      const { priceImpact: _, ...quote } = quoteOf(question)
      return { ...quote, toAmount, ...(priceImpact !== undefined && { priceImpact }) }
    }
  })
  const swap = hawser.swap.getState()
  const address = (swap.toToken?.address ?? '').toLowerCase()
  return swapLoss({ ...swap, prices: { ...swap.prices, [address]: price } }, hawser.chain.getState())
}

describe('the loss of a swap', () => {
  it('is the price impact while the worth of both amounts is equal', async () => {
    expect(await lossOf({ priceImpact: 0.2 })).toEqual({ percent: 0.2, cause: 'impact' })
  })

  it('is the difference in worth where that is larger', async () => {
    expect(await lossOf({ priceImpact: 0.2, toAmount: '842000000' })).toEqual({
      percent: expect.closeTo(15.8, 6),
      cause: 'worth',
    })
  })

  it('is never a gain', async () => {
    expect(await lossOf({ priceImpact: 0.2, toAmount: '1100000000' })).toEqual({
      percent: 0.2,
      cause: 'impact',
    })
  })

  it('is not known without an impact and a price', async () => {
    expect(await lossOf({ price: 0 })).toBeUndefined()
  })
})
