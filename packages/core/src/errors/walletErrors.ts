import type { Message } from '@hawser/texts/message'
import { chainErrorCode } from './chainErrorCode.ts'
import { failure, MessageError } from './thrownMessages.ts'
import {
  isUserRejection,
  walletErrorCode,
  walletFailure,
  walletFailureMessage,
  walletText,
} from './walletFailure.ts'

/**
 * Returns the message of an error for the site's code. It is not for the page, because a wallet may have written it;
 * see `walletMessage`.
 */
export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message
  if (typeof error === 'string') return error
  const message = (error as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : 'Unknown error'
}

/** Why a wallet was not connected; see `ConnectError`. */
export type ConnectErrorKind = 'rejected' | 'superseded' | 'noAccounts' | 'expired' | 'unreachable' | 'failed'

/**
 * A wallet was not connected. The message may be shown; the cause is the wallet's own error. `superseded`: another
 * wallet was selected meanwhile. `expired`: no wallet answered a pairing in time. `unreachable`: no relay accepted it.
 */
export class ConnectError extends MessageError {
  override readonly name = 'ConnectError'

  constructor(
    readonly kind: ConnectErrorKind,
    cause?: unknown,
  ) {
    super(connectMessage(kind, cause), { cause })
  }
}

function connectMessage(kind: ConnectErrorKind, cause: unknown): Message {
  if (kind === 'noAccounts') return failure('noAccounts')
  if (kind === 'expired') return failure('pairingExpired')
  if (kind === 'unreachable') return failure('relayFailed')
  return kind === 'failed' ? walletFailureMessage(cause, failure('connectFailed')) : walletText('declined')
}

/** Why a wallet did not switch networks: `invalidChain` for one that it does not accept. */
export type SwitchNetworkErrorKind = 'rejected' | 'invalidChain' | 'failed'

/** The wallet did not switch networks. The message may be shown; `code` is the wallet's, or 5000 if it has none. */
export class SwitchNetworkError extends MessageError {
  override readonly name = 'SwitchNetworkError'
  readonly code: number
  readonly kind: SwitchNetworkErrorKind

  constructor(cause: unknown) {
    const kind = switchErrorKind(cause)
    const message =
      kind === 'invalidChain'
        ? failure('networkRefused')
        : walletFailureMessage(cause, failure('switchFailed'))
    super(message, { cause })
    this.code = walletErrorCode(cause) ?? chainErrorCode.unknown
    this.kind = kind
  }
}

function switchErrorKind(cause: unknown): SwitchNetworkErrorKind {
  if (isUserRejection(cause)) return 'rejected'
  // Wallets respond with an internal error to a chain id that they do not accept.
  return walletFailure(cause) === 'internal' ? 'invalidChain' : 'failed'
}
