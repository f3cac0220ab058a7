import { isUserRejection } from '@hawser/core'
import { userRejected } from './providerError.ts'

/**
 * Makes a request to a wallet whose standard has no code for a declined request. Such wallets use the code of
 * EIP-1193, or only a message.
 *
 * @throws ProviderError 4001 for a declined request, and the wallet's own error otherwise.
 */
export async function orDeclined<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    throw isUserRejection(error) ? userRejected() : error
  }
}
