import type { SignInServer } from './signInServer.ts'

/** The part of a Node or Express request that is read. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The part of a Node or Express response that is written. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string | string[]>): unknown
  end(body: string): unknown
}

/** The largest body, in characters. */
const MAX_BODY = 512 * 1024

/** Returns the sign-in server as a handler of `node:http` and Express. Mount it before middleware that reads bodies. It never rejects. */
export function toNodeHandler(server: SignInServer) {
  return async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const read = await toRequest(request).catch(() => undefined)
    const answer = read ? await server.handle(read) : new Response('{}', { status: 400 })
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'set-cookie': answer.headers.getSetCookie(),
    })
    response.end(await answer.text())
  }
}

/**
 * Returns a request in the form of the web.
 *
 * @throws Error for a body that is too large or ends early, and for a method or a URL that the form does not allow.
 */
async function toRequest(request: NodeRequest): Promise<Request> {
  const { method = 'GET', url = '/', headers } = request
  const decoder = new TextDecoder()
  let body = ''
  for await (const chunk of request) {
    if (body.length <= MAX_BODY) body += decoder.decode(chunk, { stream: true })
  }
  if (body.length > MAX_BODY) throw new Error('The body is too large')
  return new Request(new URL(url, 'http://localhost'), {
    method,
    headers: nodeHeaders(headers),
    ...(method !== 'GET' && method !== 'HEAD' && { body }),
  })
}

/** Returns Node's headers in the form of the web, for `SignInServer.getSession`. */
export function nodeHeaders(headers: NodeRequest['headers']): Headers {
  const all = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(':') && value !== undefined) all.set(name, String(value))
  }
  return all
}
