import { RpcError } from '@hawser/client'
import { walletTexts } from './catalogue.ts'

/** Why a wallet did not do what it was asked, as far as its error says. */
export type WalletFailure = keyof typeof walletTexts

/** Error codes of EIP-1193, EIP-1474, EIP-3085, EIP-3326, EIP-5792 and JSON-RPC. */
const failures: Readonly<Record<number, WalletFailure>> = {
  4001: 'declined',
  4100: 'unauthorized',
  4200: 'unsupported',
  4900: 'offline',
  4901: 'offline',
  4902: 'unknownNetwork',
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

/** A wallet answered something that the page cannot use. Its message is for developers. */
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
 * The code of an EIP-1193 error, also when the wallet wraps it, as MetaMask's phone app does; undefined for an error of
 * a node, whose codes mean something else.
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

/** Why a wallet failed; undefined when the error is no wallet's, or bears a code that no standard names. */
export function walletFailure(error: unknown): WalletFailure | undefined {
  if (error instanceof WalletError) return error.failure
  const { cause } = Object(error) as { cause?: unknown }
  if (cause instanceof WalletError) return cause.failure
  return failures[walletErrorCode(error) ?? 0]
}

/**
 * Returns the text to show for an error, with what to do next. The wallet's own message is never shown.
 *
 * @param otherwise the text of the flow, for an error that says no more.
 */
export function walletMessage(error: unknown, otherwise: string): string {
  const failure = walletFailure(error)
  return failure ? walletTexts[failure] : otherwise
}

/** True when the visitor declined the request in the wallet. */
export function isUserRejection(error: unknown): boolean {
  return walletFailure(error) === 'declined'
}
