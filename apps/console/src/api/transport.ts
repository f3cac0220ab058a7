import type { Interceptor, Transport } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-web'
import { failureOf, isSignedOut } from './failure.ts'

/** Deadline of a call in milliseconds: an export or a description of the suite may wait for several processes. */
const TIMEOUT_MS = 30_000

/**
 * Creates the transport of the console, which speaks the Connect protocol in JSON to the server of the page. The session is in
 * a cookie that this page cannot read. Calls and streams throw a ConnectError, which `failureOf` describes.
 *
 * @param onSignedOut is called when a call is refused because there is no session.
 */
export function createTransport(baseUrl: string, onSignedOut: () => void): Transport {
  const note = (error: unknown): unknown => {
    if (isSignedOut(failureOf(error))) onSignedOut()
    return error
  }

  async function* watch<Message>(messages: AsyncIterable<Message>) {
    try {
      yield* messages
    } catch (error) {
      throw note(error)
    }
  }

  const watchSession: Interceptor = (next) => async (request) => {
    try {
      const response = await next(request)
      return response.stream ? { ...response, message: watch(response.message) } : response
    } catch (error) {
      throw note(error)
    }
  }
  return createConnectTransport({
    baseUrl,
    defaultTimeoutMs: TIMEOUT_MS,
    interceptors: [watchSession],
    fetch: (input, init) => fetch(input, { ...init, credentials: 'same-origin', cache: 'no-store' }),
  })
}
