import type { Money } from '@hawser/core'
import { enBuy } from '../../locale/enBuy.ts'

/** Money for people: `$100.00`, `¥1,500`. Exact: the text never becomes a float. */
export function formatMoney({ amount, currency }: Money): string {
  try {
    // A decimal text is formatted as it is (ES2023); the types know numbers alone.
    return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount as unknown as bigint)
  } catch {
    return `${amount} ${currency}`
  }
}

/** The same without decimal places that say nothing: `$100`. */
export function formatRoundMoney({ amount, currency }: Money): string {
  return formatMoney({ amount, currency }).replace(/\.0+$/, '')
}

/** `$`, `€`; the code of a currency that has no sign. */
export function currencySign(currency: string): string {
  try {
    const parts = new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
    }).formatToParts(0)
    return parts.find(({ type }) => type === 'currency')?.value ?? currency
  } catch {
    return currency
  }
}

const names = new Intl.DisplayNames('en', { type: 'currency', fallback: 'code' })

/** Returns the name of a currency, such as `US Dollar`; its code when the browser has no name for it. */
export function currencyName(currency: string): string {
  try {
    return names.of(currency) ?? currency
  } catch {
    return currency
  }
}

/** How it is paid, for people: a seller's own word is made readable. */
export function methodName(method: string): string {
  const known = enBuy.methods[method.toLowerCase()]
  if (known) return known
  const words = method.replace(/[_-]+/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
