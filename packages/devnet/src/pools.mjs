/** The lowest and highest tick of a v3 pool. */
const LAST_TICK = 887272

/** Ticks between positions' ends, by fee in hundredths of a basis point. @type {Record<number, number>} */
const spacings = { 100: 1, 500: 10, 3000: 60, 10000: 200 }

/** Ticks between positions' ends in every pool of Algebra V1. */
const ALGEBRA_SPACING = 60

/** Hundredths of a basis point in one. */
const ONE = 1_000_000n

/**
 * @param {number | 'algebra'} fee in hundredths of a basis point
 * @returns {number}
 */
export function spacingOf(fee) {
  const spacing = fee === 'algebra' ? ALGEBRA_SPACING : spacings[fee]
  if (!spacing) throw new Error(`no spacing is known for the fee ${fee}`)
  return spacing
}

/**
 * Returns how much of a token a number of dollars buys.
 *
 * @param {bigint} dollars
 * @param {bigint} price US dollars with eight decimals
 * @param {number} decimals of the token
 * @returns {bigint} base units
 */
export function unitsWorth(dollars, price, decimals) {
  return (dollars * 10n ** BigInt(decimals + 8)) / price
}

/**
 * @param {bigint} price
 * @param {bigint} [premium] in hundredths of a basis point
 */
export function withPremium(price, premium = 0n) {
  return (price * (ONE + premium)) / ONE
}

/**
 * Returns the square root of a v3 pool's price, as the pool keeps it (Q64.96).
 *
 * @param {bigint} amount0 base units worth as much as
 * @param {bigint} amount1 base units
 */
export function sqrtPriceOf(amount0, amount1) {
  return squareRoot((amount1 << 192n) / amount0)
}

/**
 * Returns the ticks between which a position lies.
 *
 * @param {bigint} sqrtPrice Q64.96
 * @param {number} spacing
 * @param {{ percent?: number, side?: 'above' }} depth
 * @returns {[lower: number, upper: number]}
 */
export function rangeOf(sqrtPrice, spacing, { percent, side }) {
  /** @param {number} tick */
  const aligned = (tick) => Math.round(tick / spacing) * spacing
  if (percent === undefined) {
    const end = Math.floor(LAST_TICK / spacing) * spacing
    return [-end, end]
  }
  const centre = ticksOf((Number(sqrtPrice) / 2 ** 96) ** 2)
  const reach = Math.max(aligned(ticksOf(1 + percent / 100)), spacing)
  const lower = side === 'above' ? aligned(centre) + spacing : aligned(centre) - reach
  return [lower, aligned(centre) + reach + (side === 'above' ? spacing : 0)]
}

/** @param {number} ratio of two prices */
function ticksOf(ratio) {
  return Math.log(ratio) / Math.log(1.0001)
}

/**
 * Newton's method, from above.
 *
 * @param {bigint} square
 */
function squareRoot(square) {
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2))
  for (;;) {
    const next = (root + square / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
