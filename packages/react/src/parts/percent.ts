const percent = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
const tenths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** A share for display: `12.35%`, `<0.01%`, `0%`. What is below zero is none. */
export function formatPercent(value: number): string {
  if (value > 0 && value < 0.01) return '<0.01%'
  return `${percent.format(Math.max(0, value))}%`
}

/** Hundredths of a percent, which may be far smaller than one: `0.0006%`. */
export function formatFinePercent(value: number): string {
  if (value <= 0) return '0%'
  return `${new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 }).format(value)}%`
}

/** A share in a column of them: `94.4%`. */
export function formatShare(value: number): string {
  return value > 0 && value < 0.1 ? '<0.1%' : `${tenths.format(value)}%`
}
