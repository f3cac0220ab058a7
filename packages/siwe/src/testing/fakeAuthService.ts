import type { AuthSession } from '../authClient.ts'
import { parseMessage } from '../message.ts'

/** Creates an auth service that accepts every signature but `0xbad`, over the wire format of the gateway. */
export function createFakeAuthService() {
  const sessions = new Map<string, AuthSession>()
  const nonces = new Map<string, string>()
  const requests: { method: string; path: string; query: string; headers: Headers; body: string }[] = []
  let counter = 0
  let reachable = true

  function answer(status: number, body: unknown): Response {
    return new Response(JSON.stringify(body), { status })
  }

  function refuse(status: number, code: string): Response {
    return answer(status, { code, reasons: [{ field: '', description: code }] })
  }

  function authenticate(body: Record<string, unknown>): Response {
    const cacaos = body.cacaos as { p: { iss: string; nonce: string } }[] | undefined
    const message = cacaos ? undefined : parseMessage(String(body.message))
    const nonce = cacaos?.[0]?.p.nonce ?? message?.nonce ?? ''
    if (!nonces.has(nonce) || nonces.get(nonce) !== body.nonceToken) return refuse(401, 'NONCE_INVALID')
    nonces.delete(nonce)
    if (body.signature === '0xbad') return refuse(401, 'SIGNATURE_INVALID')
    const chainIds = cacaos?.map(({ p }) => p.iss.split(':').slice(2, 4).join(':')) ?? [
      message?.namespace === 'solana' ? message.chainId : `eip155:${message?.chainId}`,
    ]
    const token = `token-${++counter}`
    const session = {
      address: cacaos?.[0]?.p.iss.split(':').at(-1) ?? message?.address ?? '',
      chainId: chainIds[0] ?? '',
      chainIds,
      allChains: body.signature !== '0xcontract',
      domain: message?.domain ?? 'shop.example',
      issuedAt: '2026-01-01T00:00:00Z',
      expiresAt: '2999-01-01T00:00:00Z',
    }
    sessions.set(token, session)
    return answer(200, { token, session })
  }

  async function fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const url = new URL(String(input))
    const { method = 'GET', body = '' } = init
    const headers = new Headers(init.headers)
    const path = url.pathname.split('/').at(-1) ?? ''
    requests.push({ method, path, query: url.search, headers, body: String(body) })
    if (!reachable) throw new TypeError('Failed to fetch')
    const token = headers.get('authorization')?.replace('Bearer ', '') ?? ''
    switch (`${method} ${path}`) {
      case 'POST nonce': {
        const nonce = `nonce0000${++counter}`
        nonces.set(nonce, `secret-${nonce}`)
        return answer(200, { nonce, token: `secret-${nonce}`, expiresAt: '2999-01-01T00:00:00Z' })
      }
      case 'POST authenticate':
        return authenticate(JSON.parse(String(body)))
      case 'GET me': {
        const session = sessions.get(token)
        return session ? answer(200, session) : refuse(401, 'SESSION_ABSENT')
      }
      case 'POST sign-out':
        sessions.delete(token)
        return answer(200, {})
      default:
        return refuse(404, 'ROUTE_UNKNOWN')
    }
  }

  return {
    fetch: fetch as typeof globalThis.fetch,
    sessions,
    requests,
    setReachable(value: boolean) {
      reachable = value
    },
  }
}
