/** Returns the ends of an address, as the modal shows them. */
export function shorten(address: string): string {
  return address.length > 11 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address
}
