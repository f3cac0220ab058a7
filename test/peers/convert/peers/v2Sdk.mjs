import { createRequire } from 'node:module'
import { sold } from '../market.mjs'

const { Trade } = createRequire(import.meta.url)('@uniswap/v2-sdk')

/**
 * @uniswap/v2-sdk: one path through v2 pools.
 *
 * @param {import('../market.mjs').Market} market
 * @param {{ maxHops: number }} options
 * @returns {(query: import('../market.mjs').Market['queries'][number]) => { out: string }} what is paid, in base units
 */
export function v2Sdk(market, { maxHops }) {
  return (query) => {
    const options = { maxHops, maxNumResults: 1 }
    const [best] = Trade.bestTradeExactIn(
      market.pairs,
      sold(market, query),
      market.tokens[query.out],
      options,
    )
    return { out: best?.outputAmount.quotient.toString() ?? '0' }
  }
}
