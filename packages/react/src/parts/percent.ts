import { numberFormat } from '@hawser/texts/format/numberFormat'

function percent(value: number, tag: string, digits: Intl.NumberFormatOptions): string {
  return numberFormat(tag, { style: 'percent', ...digits }).format(value / 100)
}

/** Formats a share for display: `12.35%`, `<0.01%`, `0%`. Negative values are shown as zero. */
export function formatPercent(value: number, tag: string): string {
  const digits = { maximumFractionDigits: 2 }
  if (value > 0 && value < 0.01) return `<${percent(0.01, tag, digits)}`
  return percent(Math.max(0, value), tag, digits)
}

/** Formats hundredths of a percent, which may be far smaller than one: `0.0006%`. */
export function formatFinePercent(value: number, tag: string): string {
  return percent(Math.max(0, value), tag, { maximumSignificantDigits: 2 })
}

/** Formats a share in a column of them: `94.4%`. */
export function formatShare(value: number, tag: string): string {
  const digits = { maximumFractionDigits: 1 }
  return value > 0 && value < 0.1 ? `<${percent(0.1, tag, digits)}` : percent(value, tag, digits)
}
