import { InvalidResponseError, NetworkError, refusalFrom, TimeoutError } from '../rest/errors.ts'
import { parsePlainJson } from '../rest/plainText.ts'
import { envelope, readEnvelopes } from './envelopes.ts'

/** The gateway says that it is alive well within this time, in milliseconds. */
const SILENCE_MS = 45_000

/** How every stream is asked for. */
export interface StreamOptions {
  /** Origin of the gateway, with or without a trailing slash. */
  readonly baseUrl: string
  /** 32 hex digits. */
  readonly projectId: string
  readonly signal: AbortSignal
  readonly fetch?: typeof fetch
  /** Tokens of the purchases to follow on this stream, see `PlacedOrder`. */
  readonly orderTokens?: readonly string[]
  /** How long the gateway may say nothing, in milliseconds. */
  readonly silenceMs?: number
}

/** The gateway ended the stream with an error. */
export class WatchError extends Error {
  override readonly name = 'WatchError'

  /** @param code of the Connect protocol, such as `unavailable`. */
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/**
 * Opens a server stream by the Connect protocol and yields its messages, as JSON. Ends when the gateway ends it well.
 *
 * @param procedure such as `/hawser.updates.v1.UpdatesService/WatchAccount`.
 * @throws WatchError, HttpError, TimeoutError after a silence, NetworkError, InvalidResponseError, or the signal's own
 *   reason when the caller gave up.
 */
export async function* openStream(
  options: StreamOptions,
  procedure: string,
  request: object,
): AsyncGenerator<object> {
  const { silenceMs = SILENCE_MS, signal } = options
  const patience = new AbortController()
  const giveUp = () => patience.abort(signal.reason)
  const wait = () => setTimeout(() => patience.abort(new TimeoutError(silenceMs)), silenceMs)
  signal.throwIfAborted()
  signal.addEventListener('abort', giveUp)
  let timer = wait()
  try {
    const body = await open(options, procedure, request, patience.signal)
    for await (const { isEnd, text } of readEnvelopes(body)) {
      clearTimeout(timer)
      timer = wait()
      if (isEnd) {
        throwEnd(parse(text))
        return
      }
      yield parse(text)
    }
    throw new InvalidResponseError()
  } catch (error) {
    if (patience.signal.aborted) throw patience.signal.reason
    throw error instanceof TypeError ? new NetworkError(error) : error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
    patience.abort()
  }
}

async function open(
  { baseUrl, projectId, orderTokens = [], fetch = globalThis.fetch }: StreamOptions,
  procedure: string,
  request: object,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(baseUrl.replace(/\/+$/, '') + procedure, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/connect+json',
      'Connect-Protocol-Version': '1',
      'Hawser-Project-Id': projectId,
      ...(orderTokens.length > 0 && { 'Hawser-Order-Tokens': orderTokens.join(',') }),
    },
    body: envelope(request),
    signal,
  })
  if (!response.ok) throw refusalFrom(response.status, await response.text(), response.headers)
  const type = response.headers.get('content-type')
  if (!response.body || !type?.startsWith('application/connect+json')) throw new InvalidResponseError()
  return response.body
}

/** @throws WatchError when the stream did not end well. */
function throwEnd(end: { error?: { code?: unknown; message?: unknown } }): void {
  if (!end.error) return
  const { code, message } = end.error
  throw new WatchError(String(code ?? 'unknown'), String(message ?? code ?? 'unknown'))
}

function parse(text: string): object {
  try {
    return Object(parsePlainJson(text))
  } catch (error) {
    throw new InvalidResponseError(error)
  }
}
