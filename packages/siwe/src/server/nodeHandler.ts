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

/** The largest body, in bytes. */
const MAX_BODY = 512 * 1024

/** Returns the sign-in server as a handler of `node:http` and Express. Mount it before middleware that reads bodies. */
export function toNodeHandler(server: SignInServer) {
  return async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of request) {
      size += chunk.length
      if (size <= MAX_BODY) chunks.push(chunk)
    }
    const { method = 'GET', url = '/', headers } = request
    const answer =
      size > MAX_BODY
        ? new Response('{}', { status: 413 })
        : await server.handle(
            new Request(new URL(url, 'http://localhost'), {
              method,
              headers: nodeHeaders(headers),
              ...(method !== 'GET' &&
                method !== 'HEAD' && { body: new TextDecoder().decode(concat(chunks, size)) }),
            }),
          )
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'set-cookie': answer.headers.getSetCookie(),
    })
    response.end(await answer.text())
  }
}

/** Returns Node's headers in the form of the web, for `SignInServer.getSession`. */
export function nodeHeaders(headers: NodeRequest['headers']): Headers {
  const all = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(':') && value !== undefined) all.set(name, String(value))
  }
  return all
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
