const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** A price or value for display: `$1,234.50`, `<$0.01`. Undefined stays undefined: what is not known is not shown. */
export function formatUsd(value: number | undefined): string | undefined {
  if (value === undefined || !Number.isFinite(value)) return undefined
  if (value > 0 && value < 0.01) return '<$0.01'
  return dollars.format(value)
}
