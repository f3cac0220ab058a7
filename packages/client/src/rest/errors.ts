import { parsePlainJson } from './plainText.ts'

/** Why a request was refused: one field, one sentence. */
export interface Reason {
  readonly field: string
  readonly description: string
}

/** The gateway answered, and the answer was no. */
export class HttpError extends Error {
  override readonly name = 'HttpError'

  /**
   * @param status HTTP status code.
   * @param reasons what the body gives as reasons; empty when the body is not the gateway's own.
   * @param code machine-readable reason, when the gateway names one.
   * @param requestId id to look for in the gateway's log.
   */
  constructor(
    readonly status: number,
    readonly reasons: readonly Reason[],
    readonly code: string | undefined,
    readonly requestId: string | undefined,
  ) {
    super(reasons[0]?.description || `HTTP status code: ${status}`)
  }
}

/** No answer came within the deadline. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'

  constructor(readonly timeoutMs: number) {
    super(`No answer within ${timeoutMs} ms`)
  }
}

/** No answer came at all: offline, refused, or blocked by the browser. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'

  constructor(cause: unknown) {
    super('The gateway could not be reached', { cause })
  }
}

/** An answer came that is not what was asked for, such as a proxy's HTML page under status 200. */
export class InvalidResponseError extends Error {
  override readonly name = 'InvalidResponseError'

  constructor(cause?: unknown) {
    super('The answer is not the JSON that was asked for', { cause })
  }
}

/** The node behind the gateway answered with a JSON-RPC error. */
export class RpcError extends Error {
  override readonly name = 'RpcError'

  /** @param code JSON-RPC or EIP-1474 error code. */
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message)
  }
}

interface FailedBody {
  readonly reasons?: unknown
  readonly code?: unknown
  readonly requestId?: unknown
  readonly error?: unknown
}

/**
 * Reads the body of a refusal: the gateway's own error shape, or a node's JSON-RPC error, which arrives under
 * status 400 from some nodes. Any other body yields an error with the status alone.
 */
export function refusalFrom(status: number, body: string, headers: Headers): HttpError | RpcError {
  const failed = parseFailedBody(body)
  const rpcError = rpcErrorFrom(failed.error)
  if (rpcError) return rpcError
  const reasons = Array.isArray(failed.reasons) ? failed.reasons.filter(isReason) : []
  const code = typeof failed.code === 'string' ? failed.code : undefined
  const requestId = typeof failed.requestId === 'string' ? failed.requestId : headers.get('x-request-id')
  return new HttpError(status, reasons, code, requestId ?? undefined)
}

/** Reads the `error` member of a JSON-RPC answer; undefined when it is not one. */
export function rpcErrorFrom(error: unknown): RpcError | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
  if (typeof code !== 'number') return undefined
  return new RpcError(code, typeof message === 'string' ? message : 'JSON-RPC error', data)
}

function parseFailedBody(body: string): FailedBody {
  try {
    const parsed: unknown = parsePlainJson(body)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}

function isReason(value: unknown): value is Reason {
  if (typeof value !== 'object' || value === null) return false
  const { field, description } = value as Partial<Reason>
  return typeof field === 'string' && typeof description === 'string'
}
