import { comparableAddress } from '@hawser/core'

/**
 * Returns for each character of an address whether another one has a different one in its place. Their first halves are
 * compared from the start, the others from the end: addresses of Solana differ in length.
 */
export function differences(address: string, other: string): readonly boolean[] {
  const [own, compared] = [comparableAddress(address), comparableAddress(other)]
  const longer = compared.length - own.length
  return [...own].map((character, at) => {
    const place = at < own.length / 2 ? at : at + longer
    return character !== compared[place]
  })
}
