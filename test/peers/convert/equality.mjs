import { createRequire } from 'node:module'
import { readMarket } from './market.mjs'

const require = createRequire(import.meta.url)
const { CurrencyAmount } = require('@uniswap/sdk-core')
const { TickMath } = require('@uniswap/v3-sdk')

/**
 * Compares quotes of single pools with those of the SDKs.
 *
 * A v3 pool that cannot take all of an amount takes a part of it in the SDK and is refused by us; the SDK's pool is then at the end of
 * its prices. That counts as refused by both.
 *
 * @param {string} file of the market
 * @param {{ pool: number, zeroForOne: boolean, in: string, out?: string }[]} quotes ours
 * @returns {Promise<{ equal: number, refused: number, different: string[] }>}
 */
export async function compareQuotes(file, quotes) {
  const { pairs, pools } = readMarket(file)
  const all = [...pairs, ...pools]
  const result = { equal: 0, refused: 0, different: [] }
  for (const quote of quotes) {
    const theirs = await paidBy(all[quote.pool], quote)
    const ours = quote.out === '0' ? undefined : quote.out
    if (ours !== theirs) result.different.push(`${JSON.stringify(quote)}, the SDK: ${theirs ?? 'refused'}`)
    else if (ours === undefined) result.refused += 1
    else result.equal += 1
  }
  return result
}

/** @returns {Promise<string | undefined>} nothing when the pool cannot take the amount or pays nothing for it */
async function paidBy(pool, { zeroForOne, in: units }) {
  const token = zeroForOne ? pool.token0 : pool.token1
  try {
    const [out, after] = await pool.getOutputAmount(CurrencyAmount.fromRawAmount(token, units))
    const paid = out.quotient.toString()
    return paid === '0' || isExhausted(after) ? undefined : paid
  } catch {
    return undefined
  }
}

function isExhausted({ sqrtRatioX96 }) {
  if (!sqrtRatioX96) return false
  const root = BigInt(sqrtRatioX96.toString())
  const [lowest, highest] = [TickMath.MIN_SQRT_RATIO, TickMath.MAX_SQRT_RATIO].map((end) =>
    BigInt(end.toString()),
  )
  return root <= lowest + 1n || root >= highest - 1n
}
