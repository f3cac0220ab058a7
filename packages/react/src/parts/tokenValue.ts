import type { TokenBalance } from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'
import { textFor } from '@hawser/texts/translated'
import { formatUsd } from './fiat.ts'

/** Returns the value of a balance in US dollars, for display; undefined when its price is not known. */
export function tokenValue({ price, value, quantity }: TokenBalance): number | undefined {
  if (!(price > 0)) return undefined
  return value ?? price * Number(quantity.numeric)
}

/**
 * Returns the value of all balances whose price is known; undefined when none is. Hidden tokens are not
 * counted.
 */
export function totalValue(tokens: readonly TokenBalance[]): number | undefined {
  const known = tokens
    .filter(({ hidden }) => !hidden)
    .map(tokenValue)
    .filter((value) => value !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0)
}

const lengths: readonly [unit: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** Returns "$2,000.00 per ETH · on-chain pool · 12 s old": price, source and age; undefined without a price. */
export function priceNote(
  { price, symbol, priceSource, priceAge }: TokenBalance,
  { account }: Texts['base'],
  tag: string,
): string | undefined {
  const shown = price > 0 ? formatUsd(price, tag) : undefined
  if (!shown) return undefined
  const { price: per, priceAge: old, priceSources } = account
  const notes = [per(shown, symbol)]
  if (priceSource) notes.push(textFor(priceSources, priceSource) ?? priceSource)
  if (priceAge !== undefined) notes.push(old(duration(priceAge, tag)))
  return notes.join(' · ')
}

function duration(seconds: number, tag: string): string {
  const [unit, length] = lengths.find(([, length]) => seconds >= length) ?? (['second', 1] as const)
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'short' }).format(
    Math.floor(seconds / length),
  )
}
