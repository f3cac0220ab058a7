/**
 * Returns an amount in base units as a decimal of the language, digit for digit. In Arabic it is written as in English.
 * Older browsers round the decimals of Intl to a float.
 */
export function amountText(amount: bigint, decimals: number, language: string): string {
  const tag = language === 'ar' ? 'en' : language
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = BigInt(digits.slice(0, digits.length - decimals)).toLocaleString(tag)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  if (!fraction) return whole
  const separator = new Intl.NumberFormat(tag).format(1.5).replace(/\d/g, '')
  return `${whole}${separator}${fraction}`
}
