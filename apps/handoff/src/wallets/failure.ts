import type { ProviderError } from '@hawser/connectors'

/** A failure as a session reports it. */
export interface Failure {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** Codes of EIP-1193 and JSON-RPC that this page uses itself. */
export const failureCode = {
  declined: 4001,
  unsupported: 4200,
  unknownNetwork: 4902,
  params: -32602,
  internal: -32603,
  limit: -32005,
} as const

/** Returns a failure of a wallet with its code: MetaMask wraps that of an unknown network into an internal error. */
export function failureOf(error: unknown): Failure {
  const { code, message, data } = Object(error) as Partial<ProviderError> & { data?: unknown }
  const { originalError } = Object(data) as { originalError?: { code?: unknown } }
  const inner = originalError?.code
  const own = Number.isInteger(inner) ? (inner as number) : code
  return {
    code: Number.isInteger(own) ? (own as number) : failureCode.internal,
    message: typeof message === 'string' ? message : 'The wallet reported an error.',
    ...(data !== undefined && isPlain(data) && { data }),
  }
}

/** Reports whether the visitor declined in the wallet. */
export function isDeclined(error: unknown): boolean {
  return failureOf(error).code === failureCode.declined
}

function isPlain(data: unknown): boolean {
  try {
    return JSON.stringify(data) !== undefined
  } catch {
    return false
  }
}
