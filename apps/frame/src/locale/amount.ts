import { formatUnits } from 'viem/utils'
import { visibleText } from '../plain.ts'
import type { Texts } from './texts.ts'

/** What an amount is counted in. */
export interface Unit {
  /** Empty for a token without one, whose amounts are in base units. */
  readonly symbol: string
  readonly decimals: number
}

/** Returns an amount in base units as a text, digit for digit. */
export function amountText(amount: bigint, { symbol, decimals }: Unit, texts: Texts, tag: string): string {
  return `${localDecimal(formatUnits(amount, decimals), tag)} ${symbolText({ symbol }, texts)}`
}

/** Returns the symbol of a token, as it is shown. */
export function symbolText({ symbol }: Pick<Unit, 'symbol'>, texts: Texts): string {
  return visibleText(symbol) || texts.baseUnits
}

/** Writes an exact decimal with the decimal separator of a language. No digit changes, and none is grouped. */
export function localDecimal(decimal: string, tag: string): string {
  return decimal.replace('.', separatorOf(tag))
}

/** Reads a decimal that was typed with the separator of any language. Undefined for another text. */
export function readDecimal(typed: string): string | undefined {
  return /^\d{1,60}([.,]\d*)?$/.test(typed) ? typed.replace(',', '.') : undefined
}

/** Arabic has the digits and the separator of English here: both keep their order between words that run from right to left. */
function separatorOf(tag: string): string {
  const parts = new Intl.NumberFormat(tag === 'ar' ? 'en' : tag).formatToParts(0.5)
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.'
}
