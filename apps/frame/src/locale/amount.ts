import { readTypedAmount } from '@hawser/texts/format/typedAmount'
import { visibleText } from '@hawser/texts/format/visibleText'
import type { FrameTexts } from '@hawser/texts/frame/texts'
import { exactDecimal } from '@hawser/ui/decimal'
import { formatUnits } from 'viem/utils'

/** The unit of an amount. */
export interface Unit {
  /** Empty for a token without one, whose amounts are in base units. */
  readonly symbol: string
  readonly decimals: number
}

/** The most characters of an amount that fit the line of a sheet. */
const LINE_LENGTH = 20

/** Returns an amount in base units without its unit, digit for digit, as the modal writes it. In Arabic it is written as in English. */
export function digitsText(amount: bigint, decimals: number, tag: string): string {
  return exactDecimal(formatUnits(amount, decimals), tag === 'ar' ? 'en' : tag)
}

/** Returns an amount in base units as a text, digit for digit. Its symbol stays on its line if both fit one. */
export function amountText(
  amount: bigint,
  { symbol, decimals }: Unit,
  texts: FrameTexts,
  tag: string,
): string {
  const digits = digitsText(amount, decimals, tag)
  const unit = symbolText({ symbol }, texts)
  return `${digits}${digits.length + unit.length < LINE_LENGTH ? '\u00a0' : ' '}${unit}`
}

/** Returns the symbol of a token, as it is shown. */
export function symbolText({ symbol }: Pick<Unit, 'symbol'>, texts: FrameTexts): string {
  return visibleText(symbol) || texts.baseUnits
}

/** Reads a decimal as it is typed or pasted in a language. Undefined for another text, and for one that may be two numbers. */
export function readDecimal(typed: string, tag: string): string | undefined {
  const decimal = readTypedAmount(typed, tag)
  return decimal !== undefined && /^\d{1,60}(\.|$)/.test(decimal) ? decimal : undefined
}

/** Reads a count as it is typed or pasted in a language. Undefined for another text. */
export function readCount(typed: string, tag: string): number | undefined {
  const decimal = readTypedAmount(typed, tag) ?? ''
  return /^\d{1,9}$/.test(decimal) ? Number(decimal) : undefined
}
