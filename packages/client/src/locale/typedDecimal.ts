/** The decimal separators of keyboards, including full-width and Arabic ones. */
const SEPARATOR = /[.,．，٫]/
const DIGIT = /\p{Nd}/gu

/**
 * Reads what is typed into an amount field, in the decimal digits of any script and with the decimal
 * separator of any keyboard. A phone's keyboard has the separator of its own language, which may differ from
 * the language of the page. A separator never groups digits.
 *
 * @returns digits with at most one `.`, empty for an empty field; undefined for a text that is not an amount.
 */
export function readTypedDecimal(typed: string): string | undefined {
  const decimal = readDigits(typed.trim()).replace(SEPARATOR, '.')
  return /^\d*\.?\d*$/.test(decimal) ? decimal : undefined
}

/**
 * Writes a typed decimal with the separator of a language, digit for digit. Arabic uses the separator of
 * English here, as its money does.
 */
export function showTypedDecimal(decimal: string, tag: string): string {
  const parts = new Intl.NumberFormat(tag === 'ar' ? 'en' : tag).formatToParts(0.5)
  return decimal.replace('.', parts.find(({ type }) => type === 'decimal')?.value ?? '.')
}

/** Writes the decimal digits of any script as ASCII; all else stays. */
export function readDigits(text: string): string {
  return text.replace(DIGIT, asciiDigit)
}

/**
 * Converts a decimal digit of any script to ASCII. In Unicode the ten digits of a script are consecutive,
 * from zero on, and some of these ranges are adjacent.
 */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((code - zero) % 10)
}
