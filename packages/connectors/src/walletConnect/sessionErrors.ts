import { RelayError, SignError, signErrorCode } from '@hawser/walletconnect'
import { ProviderError, providerErrorCode, userRejected } from '../pageWallet/providerError.ts'

/** Maps the codes of the Sign protocol to those of EIP-1193. */
export function asProviderError(error: unknown): Error {
  if (error instanceof RelayError) {
    return new ProviderError(providerErrorCode.disconnected, 'The wallet is not reached.')
  }
  if (!(error instanceof SignError)) return error as Error
  const { code, message } = error
  if (code >= signErrorCode.userRejected && code <= signErrorCode.userRejectedEvents) return userRejected()
  if (code === signErrorCode.requestExpired) {
    return new ProviderError(providerErrorCode.disconnected, 'The wallet did not answer.')
  }
  if (code === signErrorCode.noSession || code === signErrorCode.userDisconnected) return unauthorized()
  if (code === signErrorCode.unauthorizedMethod)
    return new ProviderError(providerErrorCode.unsupportedMethod, message)
  if (code === signErrorCode.unsupportedChain)
    return new ProviderError(providerErrorCode.chainDisconnected, message)
  return Object.assign(new ProviderError(code, message), { data: error.data })
}

export function unauthorized(): ProviderError {
  return new ProviderError(providerErrorCode.unauthorized, 'No wallet is connected.')
}
