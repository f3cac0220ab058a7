import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { CurrencyAmount, Token } = require('@uniswap/sdk-core')
const { Pair } = require('@uniswap/v2-sdk')
const { Pool, Tick, TickListDataProvider } = require('@uniswap/v3-sdk')

/**
 * A market file, with its pools as the SDKs of Uniswap take them.
 * @typedef {object} Market
 * @property {{ in: number, out: number, amt: string, usd: number, cls: string }[]} queries
 * @property {any[]} tokens of sdk-core
 * @property {any[]} pairs of v2-sdk
 * @property {any[]} pools of v3-sdk
 * @property {number[]} prices dollars a whole token
 */

/**
 * @param {string} file
 * @returns {Market}
 */
export function readMarket(file) {
  const { tokens: facts, v2, v3, queries } = JSON.parse(readFileSync(file, 'utf8'))
  const tokens = facts.map(({ addr, dec, sym }) => new Token(1, addr, dec, sym))
  const pairs = v2.map(
    ({ t0, t1, r0, r1 }) =>
      new Pair(CurrencyAmount.fromRawAmount(tokens[t0], r0), CurrencyAmount.fromRawAmount(tokens[t1], r1)),
  )
  const pools = v3.map(
    ({ t0, t1, fee, sp, sqrtP, tick, liq, ticks }) =>
      new Pool(
        tokens[t0],
        tokens[t1],
        fee,
        sqrtP,
        liq,
        tick,
        new TickListDataProvider(ticks.map(tickOf), sp),
      ),
  )
  return { queries, tokens, pairs, pools, prices: facts.map(({ price }) => price) }
}

/** @param {[number, string]} tick index and the liquidity that is added above it */
function tickOf([index, net]) {
  return new Tick({ index, liquidityNet: net, liquidityGross: net.replace('-', '') })
}

/**
 * @param {Market} market
 * @param {Market['queries'][number]} query
 */
export function sold(market, query) {
  return CurrencyAmount.fromRawAmount(market.tokens[query.in], query.amt)
}
