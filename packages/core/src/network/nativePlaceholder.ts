import type { Namespace } from '../types/network.ts'

/** The address that stands for the native token of an EVM chain (ERC-7528). */
export const NATIVE_TOKEN_ADDRESS = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** Returns the address that stands for the native token of a namespace's networks. */
export function nativePlaceholder(namespace: Namespace): string {
  if (namespace === 'eip155') return NATIVE_TOKEN_ADDRESS
  return namespace === 'solana' ? `So${'1'.repeat(41)}` : '0x'
}
