/**
 * Shortens an address to `0x123456…abcdef`: six digits of hex at each end, so that an address which agrees with another one
 * in the four digits that attackers usually search for is written differently. A text that would not get shorter is returned whole.
 */
export function shortenAddress(address: string, { start = 8, end = 6 } = {}): string {
  if (address.length <= start + end + 1) return address
  return `${address.slice(0, start)}…${address.slice(-end)}`
}
