const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/**
 * Groups the digits of an exact decimal string: `1234.5` is `1,234.5`. Only trailing zeros are dropped.
 *
 * @param tag the language to write it in, by its BCP 47 tag.
 * @throws RangeError when the text is not a plain decimal; exponents are refused.
 */
export function exactDecimal(decimal: string, tag = 'en'): string {
  const { sign, whole, fraction } = splitDecimal(decimal)
  return sign + group(whole, tag) + decimals(fraction, tag)
}

/**
 * Returns a decimal string that is short enough for a row. Digits are cut, never rounded up, so it never
 * shows more than the value: `1.999999` is `1.9999`, `0.0000001` is `<0.000001`, `12345678901` is `12.34B`,
 * beyond 10¹⁵ it is `1.23×10³⁸`.
 *
 * @param tag the language to write it in, by its BCP 47 tag.
 */
export function shortDecimal(decimal: string, tag = 'en'): string {
  const { sign, whole, fraction } = splitDecimal(decimal)
  if (whole.length > 15) return sign + scientific(whole, tag)
  if (whole.length > 9) return sign + compact(whole, tag)
  const places = whole === '0' ? 6 : whole.length > 3 ? 2 : 4
  const cut = stripZeros(fraction.slice(0, places))
  if (whole === '0' && !cut && fraction) return `${sign ? '>-' : '<'}0${decimals('000001', tag)}`
  return sign + group(whole, tag) + decimals(cut, tag)
}

function splitDecimal(decimal: string): { sign: string; whole: string; fraction: string } {
  const match = /^(-?)(?=\.?\d)(\d*)(?:\.(\d*))?$/.exec(decimal)
  if (!match) throw new RangeError('not a decimal number')
  const whole = match[2]?.replace(/^0+(?=\d)/, '') || '0'
  const fraction = stripZeros(match[3] ?? '')
  const zero = whole === '0' && !fraction
  return { sign: zero ? '' : (match[1] ?? ''), whole, fraction }
}

/** Returns `12.34B`, cut and not rounded. */
function compact(whole: string, tag: string): string {
  const options = { notation: 'compact', maximumFractionDigits: 2, roundingMode: 'trunc' } as const
  return new Intl.NumberFormat(tag, options).format(BigInt(whole))
}

function scientific(whole: string, tag: string): string {
  const fraction = stripZeros(whole.slice(1, 3))
  const exponent = [...String(whole.length - 1)].map((digit) => superscripts[Number(digit)]).join('')
  return `${whole[0]}${decimals(fraction, tag)}×10${exponent}`
}

function stripZeros(fraction: string): string {
  return fraction.replace(/0+$/, '')
}

/** Returns the digits after the decimal separator, with the separator; empty without any. */
function decimals(fraction: string, tag: string): string {
  if (!fraction) return ''
  const parts = formatOf(tag).formatToParts(0.5)
  return (parts.find(({ type }) => type === 'decimal')?.value ?? '.') + fraction
}

function group(whole: string, tag: string): string {
  return formatOf(tag).format(BigInt(whole))
}

/** Formats by language. They are kept because creating one takes longer than using it. */
const formats: Record<string, Intl.NumberFormat> = {}

function formatOf(tag: string): Intl.NumberFormat {
  formats[tag] ??= new Intl.NumberFormat(tag)
  return formats[tag]
}
