import type { AccountEntry, CaipNetworkId } from '@hawser/core'
import { userRejected } from '../pageWallet/providerError.ts'

/** Returns bytes as lower-case hex digits. */
export function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns bytes as base64. */
export function base64Of(bytes: Uint8Array): string {
  return btoa([...bytes].map((byte) => String.fromCharCode(byte)).join(''))
}

/** Returns the bytes of a base64 text. @throws DOMException for another text. */
export function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}

/** Neither way has a common code for a declined request: wallets use that of EIP-1193, or say so in words alone. */
export async function orDeclined<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    const { code, message } = Object(error) as { code?: unknown; message?: unknown }
    if (code === undefined && /reject|declin|denied|cancel/i.test(String(message))) throw userRejected()
    throw error
  }
}

/** How addresses of networks start; those of other networks start as those of the test networks. */
const addressForms: Readonly<Record<CaipNetworkId, RegExp>> = {
  'bip122:000000000019d6689c085ae165831e93': /^(?:bc1|[13])/i,
  'bip122:0f9188f13cb7b2c71f2a335e3a4fc328': /^(?:bcrt1|[mn2])/i,
}
const testForm = /^(?:tb1|[mn2])/i

/** Returns the accounts whose address is of a network, or all without one. Test networks share their addresses. */
export function accountsOn<A extends Pick<AccountEntry, 'address'>>(
  accounts: readonly A[],
  network: CaipNetworkId | undefined,
): readonly A[] {
  if (!network) return accounts
  const form = addressForms[network] ?? testForm
  return accounts.filter(({ address }) => form.test(address))
}
