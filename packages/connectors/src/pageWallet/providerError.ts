/** Error codes of EIP-1193, EIP-1474, EIP-3085 and EIP-5792 that the connectors of this package use. */
export const providerErrorCode = {
  userRejected: 4001,
  unauthorized: 4100,
  unsupportedMethod: 4200,
  disconnected: 4900,
  chainDisconnected: 4901,
  unrecognisedChain: 4902,
  invalidParams: -32602,
  internal: -32603,
  unsupportedCapability: 5700,
  unsupportedBatchChain: 5710,
  duplicateBatch: 5720,
  unknownBatch: 5730,
} as const

/** An EIP-1193 ProviderRpcError. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

export function userRejected(): ProviderError {
  return new ProviderError(providerErrorCode.userRejected, 'User rejected the request.')
}
