import { createRequire } from 'node:module'
import { sold } from '../market.mjs'

const { Trade } = createRequire(import.meta.url)('@uniswap/v3-sdk')

/**
 * @uniswap/v3-sdk: one path through v3 pools.
 *
 * @param {import('../market.mjs').Market} market
 * @param {{ maxHops: number }} options
 * @returns {(query: import('../market.mjs').Market['queries'][number]) => Promise<{ out: string }>} what is paid, in base units
 */
export function v3Sdk(market, { maxHops }) {
  return async (query) => {
    const options = { maxHops, maxNumResults: 1 }
    const trades = await Trade.bestTradeExactIn(
      market.pools,
      sold(market, query),
      market.tokens[query.out],
      options,
    )
    return { out: trades[0]?.outputAmount.quotient.toString() ?? '0' }
  }
}
