/** Returns the ends of an address, as the modal shows them. */
export function shorten(address: string): string {
  return address.length > 15 ? `${address.slice(0, 8)}…${address.slice(-6)}` : address
}
