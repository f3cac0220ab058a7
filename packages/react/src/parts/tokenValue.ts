import type { TokenBalance } from '@hawser/core'

/** What a balance is worth in US dollars, for display; undefined when its price is not known. */
export function tokenValue({ price, value, quantity }: TokenBalance): number | undefined {
  if (!(price > 0)) return undefined
  return value ?? price * Number(quantity.numeric)
}

/** The worth of all balances whose price is known; undefined when none is. */
export function totalValue(tokens: readonly TokenBalance[]): number | undefined {
  const known = tokens.map(tokenValue).filter((value) => value !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0)
}
