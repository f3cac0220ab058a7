import type { Money } from '@hawser/core'
import { moneyTag } from '@hawser/texts/format/numberFormat'
import type { Texts } from '@hawser/texts/modal/texts'
import { textFor } from '@hawser/texts/translated'

/** Formats money: `$100.00`, `¥1,500`. Exact: the text never becomes a float. */
export function formatMoney({ amount, currency }: Money, tag: string): string {
  try {
    // A decimal text is formatted exactly (ES2023); the types allow numbers only.
    return new Intl.NumberFormat(moneyTag(tag), { style: 'currency', currency }).format(
      amount as unknown as bigint,
    )
  } catch {
    return `${amount} ${currency}`
  }
}

/** Formats money without decimal places that are zero: `$1,000`. */
export function formatRoundMoney({ amount, currency }: Money, tag: string): string {
  try {
    const options = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const
    return new Intl.NumberFormat(moneyTag(tag), options).format(amount as unknown as bigint)
  } catch {
    return `${amount} ${currency}`
  }
}

/** Returns the sign of a currency, such as `$`; its code if it has none. */
export function currencySign(currency: string, tag: string): string {
  return signParts(currency, tag).find(({ type }) => type === 'currency')?.value ?? currency
}

/** Returns what is written before an amount and after it, with the space between: `$` and nothing, or nothing and ` €`. */
export function aroundAmount(currency: string, tag: string): [before: string, after: string] {
  const parts = signParts(currency, tag)
  const isSign = ({ type }: Intl.NumberFormatPart) => type === 'currency' || type === 'literal'
  const number = parts.findIndex(({ type }) => type === 'integer')
  const at = number < 0 ? parts.length : number
  const textOf = (some: readonly Intl.NumberFormatPart[]) =>
    some
      .filter(isSign)
      .map(({ value }) => value)
      .join('')
  return [textOf(parts.slice(0, at)), textOf(parts.slice(at))]
}

function signParts(currency: string, tag: string): Intl.NumberFormatPart[] {
  try {
    return new Intl.NumberFormat(moneyTag(tag), {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
    }).formatToParts(0)
  } catch {
    return [{ type: 'currency', value: currency }]
  }
}

/** Returns the name of a currency, such as `US Dollar`; its code when the browser has no name for it. */
export function currencyName(currency: string, tag: string): string {
  try {
    const names = new Intl.DisplayNames(tag, { type: 'currency', fallback: 'code' })
    return names.of(currency) ?? currency
  } catch {
    return currency
  }
}

/** Returns the name of a payment method; an unknown one is the seller's identifier in words. */
export function methodName(method: string, texts: Texts['buy']): string {
  const known = textFor(texts.methods, method.toLowerCase())
  if (known) return known
  const words = method.replace(/[_-]+/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
