import type { Reason } from './gen/hawser/fault/v1/reason_pb.ts'
import { parsePlainJson } from './plainText.ts'

/**
 * Why a call failed, as `hawser.fault.v1.Reason` names it. A newer gateway may send reasons that this page
 * does not know.
 */
export type ReasonName = keyof typeof Reason

/** The details of a failure in a {@link GatewayError}. */
export interface Failure {
  /** Code of the Connect protocol, such as `unavailable`. */
  readonly code: string
  /** Undefined when the response is not the gateway's own, such as that of a proxy before it. */
  readonly reason?: ReasonName | undefined
  /** The gateway's sentence for people; undefined when it gave none. */
  readonly text?: string | undefined
  /** Id to search for in the gateway's log. */
  readonly requestId?: string | undefined
}

/** The gateway responded with a failure, to a call or at the end of a stream. */
export class GatewayError extends Error implements Failure {
  override readonly name = 'GatewayError'
  readonly code: string
  readonly reason: ReasonName | undefined
  readonly text: string | undefined
  readonly requestId: string | undefined

  constructor({ code, reason, text, requestId }: Failure, options?: ErrorOptions) {
    super(text || `The gateway failed: ${code}`, options)
    this.code = code
    this.reason = reason
    this.text = text
    this.requestId = requestId
  }
}

/** No response, or no message of a stream, came within the deadline. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'

  constructor(readonly timeoutMs: number) {
    super(`No response within ${timeoutMs} ms`)
  }
}

/** No response came at all: offline, refused, or blocked by the browser. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'

  constructor(cause: unknown) {
    super('The gateway could not be reached', { cause })
  }
}

/** A response came that is not JSON of the expected form, such as a proxy's HTML page under status 200. */
export class InvalidResponseError extends Error {
  override readonly name = 'InvalidResponseError'

  constructor(cause?: unknown) {
    super('The response is not the JSON that was requested', { cause })
  }
}

/** The node behind the gateway responded with a JSON-RPC error. */
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

/** Codes of the Connect protocol by the HTTP status of the JSON-RPC endpoint. */
const codes: Readonly<Record<number, string>> = {
  400: 'invalid_argument',
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'not_found',
  429: 'resource_exhausted',
  503: 'unavailable',
  504: 'deadline_exceeded',
}

/**
 * Reads the body of a failed JSON-RPC request: the gateway's own error body, or a node's JSON-RPC error, which arrives under
 * status 400 from some nodes. Any other body yields an error with the code of the status alone.
 */
export function failureFrom(status: number, body: string, headers: Headers): GatewayError | RpcError {
  const failed = parseFailedBody(body)
  const rpcError = rpcErrorFrom(failed.error)
  if (rpcError) return rpcError
  const { description } = (Array.isArray(failed.reasons) && failed.reasons[0]) || {}
  return new GatewayError({
    code: codes[status] ?? 'unknown',
    reason: typeof failed.code === 'string' ? (failed.code as ReasonName) : undefined,
    text: typeof description === 'string' && description ? description : undefined,
    requestId:
      typeof failed.requestId === 'string' ? failed.requestId : (headers.get('x-request-id') ?? undefined),
  })
}

/** Reads the `error` member of a JSON-RPC response; undefined when it is not one. */
export function rpcErrorFrom(error: unknown): RpcError | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
  if (typeof code !== 'number') return undefined
  return new RpcError(code, typeof message === 'string' ? message : 'JSON-RPC error', data)
}

interface FailedBody {
  readonly reasons?: unknown
  readonly code?: unknown
  readonly requestId?: unknown
  readonly error?: unknown
}

function parseFailedBody(body: string): FailedBody {
  try {
    const parsed: unknown = parsePlainJson(body)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}
