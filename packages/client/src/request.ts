import { createDeadline } from './deadline.ts'
import { failureFrom, InvalidResponseError, NetworkError } from './errors.ts'
import { quoteLargeIntegers } from './largeIntegers.ts'
import { parsePlainJson } from './plainText.ts'

export interface RequestOptions {
  readonly fetch: typeof fetch
  readonly url: string
  /** Posted as JSON, without a content type, so that browsers skip the preflight; without a body the request is a GET. */
  readonly body?: unknown
  /** Lets the request outlive the page. */
  readonly keepalive?: boolean | undefined
  /** Returns integers that a JavaScript number cannot hold exactly as strings. */
  readonly isExact?: boolean
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends a request and reads a JSON response under one deadline, reading of the body included.
 *
 * @throws GatewayError, RpcError, TimeoutError, NetworkError, InvalidResponseError, or the signal's own reason when the
 *   caller gave up.
 */
export async function requestJson({
  fetch,
  url,
  body,
  keepalive = false,
  isExact = false,
  timeoutMs,
  signal,
}: RequestOptions): Promise<unknown> {
  const deadline = createDeadline(timeoutMs, signal)
  try {
    const response = await fetch(url, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      ...(keepalive && { keepalive }),
      signal: deadline.signal,
    })
    const text = await response.text()
    if (!response.ok) throw failureFrom(response.status, text, response.headers)
    return parse(isExact ? quoteLargeIntegers(text) : text)
  } catch (error) {
    if (deadline.signal.aborted) throw deadline.signal.reason
    if (error instanceof TypeError) throw new NetworkError(error)
    throw error
  } finally {
    deadline.end()
  }
}

function parse(text: string): unknown {
  try {
    return parsePlainJson(text)
  } catch (error) {
    throw new InvalidResponseError(error)
  }
}
