import { chainErrorCode, thrown, USER_REJECTED_CODE } from './catalogue.ts'

/** The code of an EIP-1193 error, also when the wallet wraps it, as MetaMask's phone app does. */
export function walletErrorCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
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

/** True when the visitor declined the request in the wallet. */
export function isUserRejection(error: unknown): boolean {
  return walletErrorCode(error) === USER_REJECTED_CODE
}

/** What may be shown or told of an error: its message, never more. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message
  if (typeof error === 'string') return error
  const message = (error as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : 'Unknown error'
}

export type ConnectErrorKind = 'rejected' | 'superseded' | 'noAccounts' | 'failed'

/** A wallet was not connected. `superseded`: another wallet was chosen in the meantime. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError'

  constructor(
    readonly kind: ConnectErrorKind,
    cause?: unknown,
  ) {
    super(kind === 'failed' ? errorMessage(cause) : thrown.connectionDeclined, { cause })
  }
}

export type SwitchNetworkErrorKind = 'rejected' | 'invalidChain' | 'failed'

/** The wallet did not switch; `code` is its own, or 5000 when it named none. */
export class SwitchNetworkError extends Error {
  override readonly name = 'SwitchNetworkError'
  readonly code: number
  readonly kind: SwitchNetworkErrorKind

  constructor(cause: unknown) {
    super(thrown.switchDeclined, { cause })
    this.code = walletErrorCode(cause) ?? chainErrorCode.unknown
    this.kind = switchErrorKind(this.code)
  }
}

function switchErrorKind(code: number): SwitchNetworkErrorKind {
  if (code === USER_REJECTED_CODE) return 'rejected'
  if (code === chainErrorCode.invalidChainId) return 'invalidChain'
  return 'failed'
}
