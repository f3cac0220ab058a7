import { userRejected } from './providerError.ts'

/**
 * Makes a request of a wallet whose standard has no code for a request that the visitor declined: wallets use that of
 * EIP-1193, or say so in words alone.
 *
 * @throws ProviderError 4001 for the latter, and the wallet's own error otherwise.
 */
export async function orDeclined<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    const { code, message = error } = Object(error) as { code?: unknown; message?: unknown }
    if (code === undefined && /reject|declin|denied|cancel/i.test(String(message))) throw userRejected()
    throw error
  }
}
