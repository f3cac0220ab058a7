import { createDeadline } from './deadline.ts'
import { failureFrom, InvalidResponseError, NetworkError } from './errors.ts'
import { parsePlainJson } from './plainText.ts'

export interface PostOptions {
  readonly fetch: typeof fetch
  readonly url: string
  /** Sent as JSON; without a content type, so that browsers skip the preflight. */
  readonly body: unknown
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Posts JSON and reads a JSON response under one deadline, reading of the body included.
 *
 * @throws GatewayError, RpcError, TimeoutError, NetworkError, InvalidResponseError, or the signal's own reason when the
 *   caller gave up.
 */
export async function postJson({ fetch, url, body, timeoutMs, signal }: PostOptions): Promise<unknown> {
  const deadline = createDeadline(timeoutMs, signal)
  try {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), signal: deadline.signal })
    const text = await response.text()
    if (!response.ok) throw failureFrom(response.status, text, response.headers)
    return parse(text)
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
