/**
 * Returns the other number that a typed decimal may mean if its separator groups thousands: 1500 for `1.500`;
 * undefined if there is none.
 */
export function groupedReading(decimal: string): string | undefined {
  return /^[1-9]\d{0,2}\.\d{3}$/.test(decimal) ? decimal.replace('.', '') : undefined
}
