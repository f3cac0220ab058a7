import type { TokenBalance } from '../types/account.ts'

/** Plain contract address out of a row's CAIP-10; undefined for the native token. */
export function tokenContract({ address }: TokenBalance): string | undefined {
  return address?.slice(address.lastIndexOf(':') + 1)
}
