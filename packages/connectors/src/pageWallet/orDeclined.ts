import { userRejected } from './providerError.ts'

/**
 * Makes a request to a wallet whose standard has no code for a declined request. Such wallets use the code of
 * EIP-1193, or only a message.
 *
 * @throws ProviderError 4001 for such a message, and the wallet's own error otherwise.
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
