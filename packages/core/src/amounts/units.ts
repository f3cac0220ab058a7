import type { TokenBalance } from '../types/account.ts'

/** The text is not an amount of a token. */
export class AmountError extends Error {
  override readonly name = 'AmountError'
}

const decimalText = /^(\d*)(?:\.(\d*))?$/

/**
 * Parses a decimal string in whole tokens to base units, exactly.
 *
 * @throws AmountError for signs, exponents, separators, an empty text, or more decimals than the token has.
 */
export function parseUnits(text: string, decimals: number): bigint {
  const [, whole = '', fraction = ''] = decimalText.exec(text) ?? []
  if (whole + fraction === '') throw new AmountError(`"${text}" is not an amount`)
  const significant = fraction.replace(/0+$/, '')
  if (significant.length > decimals) throw new AmountError(`"${text}" has more than ${decimals} decimals`)
  return BigInt(whole + significant.padEnd(decimals, '0'))
}

/** Formats base units as a decimal string in whole tokens, exactly and without trailing zeros. */
export function formatUnits(value: bigint, decimals: number): string {
  const sign = value < 0n ? '-' : ''
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${sign}${whole}${fraction && `.${fraction}`}`
}

/** Returns the base units of a balance row; 0 when the gateway sent an invalid amount. */
export function baseUnits({ quantity }: TokenBalance): bigint {
  try {
    return parseUnits(quantity.numeric, tokenDecimals(quantity.decimals))
  } catch {
    return 0n
  }
}

/** @throws AmountError when the text is not a count of decimals. */
export function tokenDecimals(text: string): number {
  const decimals = Number(text)
  if (!/^\d{1,3}$/.test(text)) throw new AmountError(`"${text}" is not a count of decimals`)
  return decimals
}

/**
 * Returns the value of an amount, for display only.
 *
 * @param price price of one whole token; the value is unknown when it is 0 or absent.
 */
export function worth(value: bigint, decimals: number, price: number | undefined): number | undefined {
  return price ? Number(formatUnits(value, decimals)) * price : undefined
}
