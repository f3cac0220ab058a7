import { AmountError, parseUnits } from '../amounts/units.ts'
import type { OnrampState, PaymentCurrency, PaymentLimit } from '../types/onramp.ts'

/** Decimal places that amounts are compared with: more than any currency or token has. */
const DIGITS = 36

/** What a purchase still lacks, in the order of the form. */
export type BuyReadiness =
  | 'loading'
  | 'unsupported'
  | 'selectToken'
  | 'enterAmount'
  | 'incorrectValue'
  | 'belowLimit'
  | 'aboveLimit'
  | 'ready'

export function buyReadiness(state: OnrampState): BuyReadiness {
  const { isLoaded, tokens, currency, token, amount } = state
  if (!isLoaded) return 'loading'
  if (tokens.length === 0 || !currency) return 'unsupported'
  if (!token) return 'selectToken'
  if (amount === '') return 'enterAmount'
  const paid = readMoney(amount, currencyDigits(currency.id))
  if (!paid) return 'incorrectValue'
  const limits = buyLimits(state)
  if (limits && paid < decimal(limits.min)) return 'belowLimit'
  if (limits && paid > decimal(limits.max)) return 'aboveLimit'
  return 'ready'
}

/**
 * Returns the limits of one payment by the selected method, or by any method when none is selected; undefined if
 * unknown.
 */
export function buyLimits({ currency, method }: OnrampState): Pick<PaymentLimit, 'min' | 'max'> | undefined {
  const limits = limitsOf(currency, method)
  const [first] = limits
  if (!first) return undefined
  return limits.reduce(
    (widest, { min, max }) => ({
      min: decimal(min) < decimal(widest.min) ? min : widest.min,
      max: decimal(max) > decimal(widest.max) ? max : widest.max,
    }),
    { min: first.min, max: first.max },
  )
}

function limitsOf(currency: PaymentCurrency | undefined, method: string | undefined) {
  const limits = currency?.paymentMethodLimits ?? []
  return method ? limits.filter(({ id }) => id === method) : limits
}

/** Returns the decimal places of a currency (ISO 4217). */
export function currencyDigits(currency: string): number {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
      .maximumFractionDigits as number
  } catch {
    return 2
  }
}

/** Compares decimal texts by value; an invalid text counts as zero. */
export function compareDecimals(a: string, b: string): number {
  const [one, other] = [decimal(a), decimal(b)]
  if (one === other) return 0
  return one < other ? -1 : 1
}

function decimal(text: string): bigint {
  return readMoney(text, DIGITS) ?? 0n
}

/** Parses decimal text in units of 10⁻³⁶; undefined when it is empty, invalid or has more decimal places. */
function readMoney(text: string, places: number): bigint | undefined {
  try {
    parseUnits(text, places)
    return parseUnits(text, DIGITS) || undefined
  } catch (error) {
    if (error instanceof AmountError) return undefined
    throw error
  }
}
