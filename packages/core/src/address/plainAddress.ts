/** Returns the plain address of a CAIP-10 id. */
export function plainAddress(caipAddress: string): string {
  return caipAddress.slice(caipAddress.lastIndexOf(':') + 1)
}
