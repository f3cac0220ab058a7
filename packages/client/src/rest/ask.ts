import { InvalidResponseError, NetworkError, refusalFrom, TimeoutError } from './errors.ts'
import { parsePlainJson } from './plainText.ts'

export interface Question {
  readonly url: string
  /** Sent by POST when present, as JSON; without a content type, so that browsers skip the preflight. */
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  /** `reload` asks past what the browser keeps. */
  readonly cache?: RequestCache | undefined
  /** More header fields; a browser asks leave for them by a preflight. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export type Ask = (question: Question) => Promise<unknown>

/**
 * Makes one HTTP request under one deadline, reading of the body included.
 *
 * @throws HttpError, RpcError, TimeoutError, NetworkError, InvalidResponseError, or the signal's own reason when the
 *   caller gave up.
 */
export function createAsk(fetchImpl: typeof fetch, timeoutMs: number): Ask {
  return async ({ url, body, signal, cache, headers }) => {
    signal?.throwIfAborted()
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(new TimeoutError(timeoutMs)), timeoutMs)
    const giveUp = () => deadline.abort(signal?.reason)
    signal?.addEventListener('abort', giveUp)

    try {
      const response = await fetchImpl(url, {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        ...(cache && { cache }),
        ...(headers && { headers }),
        signal: deadline.signal,
      })
      const text = await response.text()
      if (!response.ok) throw refusalFrom(response.status, text, response.headers)
      return parse(text)
    } catch (error) {
      if (deadline.signal.aborted) throw deadline.signal.reason
      if (error instanceof TypeError) throw new NetworkError(error)
      throw error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
  }
}

function parse(text: string): unknown {
  try {
    return parsePlainJson(text)
  } catch (error) {
    throw new InvalidResponseError(error)
  }
}
