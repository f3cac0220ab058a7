import { formatUnits } from 'viem/utils'

const CENT = 0.01

/**
 * Returns what an amount in base units is worth in dollars, for display only: `$1,234.50`, `<$0.01`. In Arabic it is written
 * as in English, as in the modal.
 */
export function dollarText(amount: bigint, decimals: number, price: number, tag: string): string {
  const format = new Intl.NumberFormat(tag === 'ar' ? 'en' : tag, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
  })
  const value = Number(formatUnits(amount, decimals)) * price
  return value > 0 && value < CENT ? `<${format.format(CENT)}` : format.format(value)
}
