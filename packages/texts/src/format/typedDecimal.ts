const DIGIT = /\p{Nd}/gu

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
