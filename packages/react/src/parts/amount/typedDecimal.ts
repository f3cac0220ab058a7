/** The decimal separators of keyboards, Arabic ones among them. */
const SEPARATOR = /[.,٫]/
const ARABIC_DIGITS = /[٠-٩]/g
const ARABIC_ZERO = 0x0660

/**
 * Reads what is typed into an amount field, in the digits and with the decimal separator of any keyboard: a phone has that of its own
 * language, whatever the language of the page is. The separator is never one of groups.
 *
 * @returns digits with at most one `.`, empty for an empty field; undefined for a text that is no amount.
 */
export function readTypedDecimal(typed: string): string | undefined {
  const decimal = typed
    .trim()
    .normalize('NFKC')
    .replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) - ARABIC_ZERO))
    .replace(SEPARATOR, '.')
  return /^\d*\.?\d*$/.test(decimal) ? decimal : undefined
}

/** Writes a typed decimal with the separator of a language, digit for digit. Arabic has the separator of English here, as its money does. */
export function showTypedDecimal(decimal: string, tag: string): string {
  const parts = new Intl.NumberFormat(tag === 'ar' ? 'en' : tag).formatToParts(0.5)
  return decimal.replace('.', parts.find(({ type }) => type === 'decimal')?.value ?? '.')
}

/** Returns the other number that a typed decimal looks like where its separator groups thousands: 1500 for `1.500`; undefined for no other. */
export function groupedReading(decimal: string): string | undefined {
  return /^[1-9]\d{0,2}\.\d{3}$/.test(decimal) ? decimal.replace('.', '') : undefined
}
