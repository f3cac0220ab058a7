import { ConnectError, type Transport } from '@connectrpc/connect'
import { codeToString } from '@connectrpc/connect/protocol-connect'
import { createConnectTransport } from '@connectrpc/connect-web'
import { createDeadline, type Deadline } from '../deadline.ts'
import { GatewayError, InvalidResponseError, NetworkError, type ReasonName } from '../errors.ts'
import { ErrorInfoSchema } from '../gen/google/rpc/error_details_pb.ts'
import { plainText } from '../plainText.ts'
import { createTraceparent } from './traceparent.ts'

export interface TransportOptions {
  /** Origin of the gateway, with or without a trailing slash. */
  readonly baseUrl: string
  /** 32 hex digits. */
  readonly projectId: string
  /** Which SDK reads, sent with every read as `st`; `unknown` by default. */
  readonly sdkType?: string | undefined
  /** Its version, sent as `sv`; `unknown` by default. */
  readonly sdkVersion?: string | undefined
  readonly fetch?: typeof fetch | undefined
  /** Deadline of every unary call in milliseconds. */
  readonly timeoutMs?: number
  /** How long a stream may send nothing, in milliseconds; the gateway sends a message well within the default. */
  readonly silenceMs?: number
  /** Called after every unary response that is no failure. */
  readonly onSuccess?: () => void
  /** Called with every failure that the gateway responds with. */
  readonly onFailure?: (failure: GatewayError) => void
}

/** Header of a call whose response must not come from the browser's cache: `RELOAD` is its value. */
const CACHE_CONTROL = 'Cache-Control'
const RELOAD = 'no-cache'

/** Header of the trace that a call belongs to. */
const TRACE = 'traceparent'

/** Headers of a call that bypasses the browser's cache. */
export const reload = { [CACHE_CONTROL]: RELOAD }

/**
 * Creates a transport that speaks the Connect protocol with JSON messages. Calls without side effects are
 * sent by GET, which needs no CORS preflight and may be cached; they carry only the headers of the caller.
 * Other calls, and streams, begin a trace that the gateway continues. JSON keeps messages readable in the
 * network panel of a browser, and compresses to about the size of the binary form.
 *
 * Calls and streams throw GatewayError, TimeoutError, NetworkError, InvalidResponseError, or the signal's own
 * reason when the caller aborted. String fields of responses are cleaned by `plainText`.
 */
export function createTransport({
  baseUrl,
  projectId,
  sdkType = 'unknown',
  sdkVersion = 'unknown',
  fetch: fetchImpl = (...args) => globalThis.fetch(...args),
  timeoutMs = 10_000,
  silenceMs = 45_000,
  onSuccess = () => undefined,
  onFailure = () => undefined,
}: TransportOptions): Transport {
  const connect = createConnectTransport({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    useHttpGet: true,
    fetch: (input, init) => {
      const sender = { projectId, ...(init?.method === 'GET' && { st: sdkType, sv: sdkVersion }) }
      return fetchImpl(withQuery(String(input), sender), withCacheMode(withTrace(init)))
    },
  })

  function failureOf(error: unknown, { signal }: Deadline): unknown {
    if (signal.aborted) return signal.reason
    const failure = readFailure(error)
    if (failure instanceof GatewayError) onFailure(failure)
    return failure
  }

  return {
    async unary(method, signal, _timeoutMs, header, message, contextValues) {
      const deadline = createDeadline(timeoutMs, signal)
      try {
        const response = await connect.unary(
          method,
          deadline.signal,
          undefined,
          header,
          message,
          contextValues,
        )
        cleanTexts(response.message)
        onSuccess()
        return response
      } catch (error) {
        throw failureOf(error, deadline)
      } finally {
        deadline.end()
      }
    },

    async stream(method, signal, _timeoutMs, header, input, contextValues) {
      const deadline = createDeadline(silenceMs, signal)
      try {
        const response = await connect.stream(
          method,
          deadline.signal,
          undefined,
          header,
          input,
          contextValues,
        )
        return { ...response, message: messagesOf(response.message, deadline) }
      } catch (error) {
        deadline.end()
        throw failureOf(error, deadline)
      }
    },
  }

  async function* messagesOf<Message>(messages: AsyncIterable<Message>, deadline: Deadline) {
    try {
      for await (const message of messages) {
        deadline.restart()
        cleanTexts(message)
        yield message
      }
    } catch (error) {
      throw failureOf(error, deadline)
    } finally {
      deadline.end()
    }
  }
}

/** Adds who calls to the URL. As custom headers it would cost every cross-origin read a preflight. */
function withQuery(url: string, sender: Record<string, string>): string {
  return `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(sender)}`
}

/**
 * Adds the header of a trace to a POST, which has a preflight in any case, unless the caller set one. A GET
 * gets no header, so that it needs no preflight.
 */
function withTrace(init: RequestInit | undefined): RequestInit | undefined {
  if (init?.method !== 'POST') return init
  const headers = new Headers(init.headers)
  if (!headers.has(TRACE)) headers.set(TRACE, createTraceparent())
  return { ...init, headers }
}

function withCacheMode(init: RequestInit | undefined): RequestInit | undefined {
  const headers = new Headers(init?.headers)
  if (headers.get(CACHE_CONTROL) !== RELOAD) return init
  headers.delete(CACHE_CONTROL)
  return { ...init, headers, cache: 'reload' }
}

function readFailure(error: unknown): Error {
  const failure = ConnectError.from(error)
  if (failure.cause instanceof TypeError) return new NetworkError(failure.cause)
  if (failure.cause instanceof SyntaxError) return new InvalidResponseError(failure.cause)
  const [info] = failure.findDetails(ErrorInfoSchema)
  return new GatewayError(
    {
      code: codeToString(failure.code),
      reason: info?.reason as ReasonName | undefined,
      text: info && (plainText(failure.rawMessage) || undefined),
      requestId: failure.metadata.get('x-request-id') ?? undefined,
    },
    { cause: failure },
  )
}

/** Cleans every string field of a message in place; keys of maps stay as they are. */
function cleanTexts(value: unknown): void {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return
  const members = value as Record<string, unknown>
  for (const [key, member] of Object.entries(members)) {
    if (typeof member !== 'string') cleanTexts(member)
    else if (key !== '$typeName') members[key] = plainText(member)
  }
}
