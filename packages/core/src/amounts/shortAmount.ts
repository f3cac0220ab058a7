/** Digits after the decimal point in a sentence. */
const SHOWN_DIGITS = 6

/**
 * Truncates a decimal string for a sentence, never rounding up. An amount smaller than its last shown digit is left
 * whole.
 */
export function shortAmount(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.')
  const cut = fraction.slice(0, whole.length > 3 ? 2 : SHOWN_DIGITS).replace(/0+$/, '')
  if (whole === '0' && cut === '') return amount
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (cut && `.${cut}`)
}
