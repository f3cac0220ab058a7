import { moneyTag, numberFormat } from '@hawser/texts/format/numberFormat'

/** Formats dollars in parts, so that cents can be drawn in another colour; undefined for an unknown value. */
export function usdParts(value: number | undefined, tag: string): Intl.NumberFormatPart[] | undefined {
  if (value === undefined || !Number.isFinite(value)) return undefined
  if (value > 0 && value < 0.01) return [{ type: 'literal', value: '<' }, ...dollars(tag).formatToParts(0.01)]
  return dollars(tag).formatToParts(value)
}

/**
 * Formats a price or value for display: `$1,234.50`, `<$0.01`. An unknown value (undefined) stays undefined.
 */
export function formatUsd(value: number | undefined, tag: string): string | undefined {
  return usdParts(value, tag)
    ?.map((part) => part.value)
    .join('')
}

function dollars(tag: string): Intl.NumberFormat {
  return numberFormat(moneyTag(tag), { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' })
}
