import { FailureError, type OwnFailure } from '../failures.ts'

/** Codes of EIP-1193, EIP-5792 and JSON-RPC that the frame answers with. */
export const providerErrorCode = {
  userRejected: 4001,
  unauthorized: 4100,
  unsupportedMethod: 4200,
  chainDisconnected: 4901,
  unsupportedChain: 5710,
  unknownBundle: 5730,
  bundleTooLarge: 5740,
  atomicityUnsupported: 5760,
  limitExceeded: -32005,
  invalidParams: -32602,
  internal: -32603,
} as const

/** A request that failed. Its message is for people. */
export class FrameError extends FailureError {
  override readonly name = 'FrameError'
  readonly code: number
  /** Of `hawser.fault.v1`, or `declined`; undefined for a failure that has a key, and for one of developers. */
  readonly reason: string | undefined

  constructor(failure: OwnFailure | string, code: number, reason?: string) {
    super(failure)
    this.code = code
    this.reason = reason
  }
}
