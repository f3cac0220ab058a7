import { numberFormat } from '../locale/numberFormat.ts'

function percent(value: number, tag: string, digits: Intl.NumberFormatOptions): string {
  return numberFormat(tag, { style: 'percent', ...digits }).format(value / 100)
}

/** A share for display: `12.35%`, `<0.01%`, `0%`. What is below zero is none. */
export function formatPercent(value: number, tag: string): string {
  const digits = { maximumFractionDigits: 2 }
  if (value > 0 && value < 0.01) return `<${percent(0.01, tag, digits)}`
  return percent(Math.max(0, value), tag, digits)
}

/** Hundredths of a percent, which may be far smaller than one: `0.0006%`. */
export function formatFinePercent(value: number, tag: string): string {
  return percent(Math.max(0, value), tag, { maximumSignificantDigits: 2 })
}

/** A share in a column of them: `94.4%`. */
export function formatShare(value: number, tag: string): string {
  const digits = { maximumFractionDigits: 1 }
  return value > 0 && value < 0.1 ? `<${percent(0.1, tag, digits)}` : percent(value, tag, digits)
}
