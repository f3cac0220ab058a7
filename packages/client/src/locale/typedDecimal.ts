/** The decimal separators of keyboards, in full width and Arabic ones among them. */
const SEPARATOR = /[.,．，٫]/
const DIGIT = /\p{Nd}/gu

/**
 * Reads what is typed into an amount field, in the decimal digits of any script and with the decimal separator of any keyboard: a phone has
 * that of its own language, whatever the language of the page is. The separator is never one of groups.
 *
 * @returns digits with at most one `.`, empty for an empty field; undefined for a text that is no amount.
 */
export function readTypedDecimal(typed: string): string | undefined {
  const decimal = typed.trim().replace(DIGIT, asciiDigit).replace(SEPARATOR, '.')
  return /^\d*\.?\d*$/.test(decimal) ? decimal : undefined
}

/** Writes a typed decimal with the separator of a language, digit for digit. Arabic has the separator of English here, as its money does. */
export function showTypedDecimal(decimal: string, tag: string): string {
  const parts = new Intl.NumberFormat(tag === 'ar' ? 'en' : tag).formatToParts(0.5)
  return decimal.replace('.', parts.find(({ type }) => type === 'decimal')?.value ?? '.')
}

/** Returns a decimal digit of any script as one of ASCII. Unicode has the ten of a script in a row, from zero on, and some rows follow another. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((code - zero) % 10)
}
