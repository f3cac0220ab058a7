/** Error codes of the Sign protocol, and EIP-1193's for a declined request. */
export const signErrorCode = {
  invalidMethod: 1001,
  invalidEvent: 1002,
  invalidUpdateRequest: 1003,
  invalidExtendRequest: 1004,
  unauthorizedMethod: 3001,
  unauthorizedEvent: 3002,
  unsupportedChain: 3005,
  userRejectedRequest: 4001,
  userRejected: 5000,
  userRejectedChains: 5001,
  userRejectedMethods: 5002,
  userRejectedEvents: 5003,
  unsupportedChains: 5100,
  unsupportedMethods: 5101,
  unsupportedEvents: 5102,
  unsupportedAccounts: 5103,
  unsupportedNamespaceKey: 5104,
  userDisconnected: 6000,
  settlementFailed: 7000,
  noSession: 7001,
  requestExpired: 8000,
  unknownMethod: 10001,
} as const

/** A failure of the Sign protocol, of this side or as the peer reported it. */
export class SignError extends Error {
  override readonly name = 'SignError'

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message)
  }
}
