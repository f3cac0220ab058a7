import { numberFormat } from '../locale/numberFormat.ts'

/** A price or value for display: `$1,234.50`, `<$0.01`. Undefined stays undefined: what is not known is not shown. */
export function formatUsd(value: number | undefined, tag: string): string | undefined {
  if (value === undefined || !Number.isFinite(value)) return undefined
  const dollars = numberFormat(tag, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' })
  if (value > 0 && value < 0.01) return `<${dollars.format(0.01)}`
  return dollars.format(value)
}
