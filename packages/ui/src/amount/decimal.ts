const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/**
 * Groups the digits of an exact decimal string: `1234.5` is `1,234.5`. Only trailing zeros are dropped.
 * @throws RangeError when the text is not a plain decimal; exponents are refused.
 */
export function exactDecimal(decimal: string): string {
  const { sign, whole, fraction } = splitDecimal(decimal)
  return sign + group(whole) + (fraction && `.${fraction}`)
}

/**
 * A decimal string short enough for a row. Digits are cut, never rounded up, so it never shows more than there is:
 * `1.999999` is `1.9999`, `0.0000001` is `<0.000001`, `12345678901` is `12.34B`, beyond 10¹⁵ it is `1.23×10³⁸`.
 */
export function shortDecimal(decimal: string): string {
  const { sign, whole, fraction } = splitDecimal(decimal)
  if (whole.length > 15) return sign + scientific(whole)
  if (whole.length > 12) return `${sign}${scaled(whole, 12)}T`
  if (whole.length > 9) return `${sign}${scaled(whole, 9)}B`
  const places = whole === '0' ? 6 : whole.length > 3 ? 2 : 4
  const cut = stripZeros(fraction.slice(0, places))
  if (whole === '0' && !cut && fraction) return sign ? '>-0.000001' : '<0.000001'
  return sign + group(whole) + (cut && `.${cut}`)
}

function splitDecimal(decimal: string): { sign: string; whole: string; fraction: string } {
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(decimal)
  if (!match) throw new RangeError('not a decimal number')
  const whole = (match[2] ?? '').replace(/^0+(?=\d)/, '')
  const fraction = stripZeros(match[3] ?? '')
  const zero = whole === '0' && !fraction
  return { sign: zero ? '' : (match[1] ?? ''), whole, fraction }
}

function scaled(whole: string, power: number): string {
  const fraction = stripZeros(whole.slice(-power).slice(0, 2))
  return group(whole.slice(0, -power)) + (fraction && `.${fraction}`)
}

function scientific(whole: string): string {
  const fraction = stripZeros(whole.slice(1, 3))
  const exponent = [...String(whole.length - 1)].map((digit) => superscripts[Number(digit)]).join('')
  return `${whole[0]}${fraction && `.${fraction}`}×10${exponent}`
}

function stripZeros(fraction: string): string {
  return fraction.replace(/0+$/, '')
}

function group(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, ',')
}
