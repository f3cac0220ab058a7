import { RpcError } from '@hawser/client'
import { walletTexts } from './catalogue.ts'

/** Why a wallet did not fulfil a request, according to its error. */
export type WalletFailure = keyof typeof walletTexts

/** Error codes of EIP-1193, EIP-1474, EIP-3085, EIP-3326, EIP-5792, JSON-RPC and the Sign protocol of wallet-connect. */
const failures: Readonly<Record<number, WalletFailure>> = {
  4001: 'declined',
  4100: 'unauthorized',
  4200: 'unsupported',
  4900: 'offline',
  4901: 'offline',
  4902: 'unknownNetwork',
  5000: 'declined',
  5001: 'unsupportedNetwork',
  5002: 'unsupported',
  5100: 'unsupportedNetwork',
  5101: 'unsupported',
  5700: 'unsupported',
  5710: 'unsupportedNetwork',
  5720: 'busy',
  5730: 'unknownBatch',
  5740: 'batchTooLarge',
  5750: 'declined',
  5760: 'unsupported',
  32603: 'internal',
  [-32002]: 'busy',
  [-32601]: 'unsupported',
  [-32603]: 'internal',
}

/** A wallet's response is invalid. The message is for developers. */
export class WalletError extends Error {
  override readonly name = 'WalletError'

  constructor(
    readonly failure: WalletFailure,
    message: string,
  ) {
    super(message)
  }
}

/**
 * Returns the code of an EIP-1193 error, also when the wallet wraps it, as MetaMask's phone app does; undefined for
 * an error of a node, whose codes have other meanings.
 */
export function walletErrorCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || error instanceof RpcError) return undefined
  const { code, data, cause } = error as {
    code?: unknown
    data?: { originalError?: unknown }
    cause?: unknown
  }
  return walletErrorCode(data?.originalError) ?? walletErrorCode(cause) ?? numericCode(code)
}

function numericCode(code: unknown): number | undefined {
  return typeof code === 'number' ? code : undefined
}

/** Returns why a wallet failed; undefined when the error is not a wallet's or its code is not in a standard. */
export function walletFailure(error: unknown): WalletFailure | undefined {
  if (error instanceof WalletError) return error.failure
  const { cause } = Object(error) as { cause?: unknown }
  if (cause instanceof WalletError) return cause.failure
  return failures[walletErrorCode(error) ?? 0]
}

/**
 * Returns the text to show for an error. The wallet's own message is never shown.
 *
 * @param otherwise the text for an error that gives no reason.
 */
export function walletMessage(error: unknown, otherwise: string): string {
  const failure = walletFailure(error)
  return failure ? walletTexts[failure] : otherwise
}

/** Reports whether the visitor declined the request in the wallet. */
export function isUserRejection(error: unknown): boolean {
  return walletFailure(error) === 'declined'
}
