import { AuthError, type AuthSession, type Cacao, createAuthClient, type Nonce } from '../authClient.ts'
import { clearCookie, readCookie, setCookie } from './cookies.ts'

/** Options of `createSignInServer`. */
export interface SignInServerOptions {
  /** URL of the gateway, such as `https://wallet.example.com`. */
  readonly gatewayUrl: string
  readonly projectId: string
  /**
   * Origin of the site, such as `https://app.example.com`. Messages must name it, and pages of other origins
   * are refused.
   */
  readonly origin: string
  readonly fetch?: typeof fetch
}

/** Signs visitors of a site in, with the session in a cookie that scripts cannot read. */
export interface SignInServer {
  /**
   * Answers `POST …/nonce`, `POST …/authenticate`, `GET …/me` and `POST …/sign-out`, whatever path is in front of them. Other requests get a
   * 404. The page uses it as `createSiwx({ url: '/api/auth' })`.
   */
  handle(request: Request): Promise<Response>
  /**
   * Returns who is signed in; undefined if no account is.
   *
   * @throws AuthError or TypeError if the gateway cannot be reached.
   */
  getSession(request: { readonly headers: Headers }): Promise<AuthSession | undefined>
}

/** The largest body of a sign-in, in bytes. */
const MAX_BODY = 512 * 1024

/** Returns the server's side of sign-in. It stores nothing: the gateway's auth service has the sessions. */
export function createSignInServer({
  gatewayUrl,
  projectId,
  origin,
  fetch: send = fetch,
}: SignInServerOptions): SignInServer {
  const site = new URL(origin)
  const secure = site.protocol === 'https:'
  const prefix = secure ? '__Host-' : ''
  const names = { session: `${prefix}hawser-session`, nonce: `${prefix}hawser-nonce` }
  const client = createAuthClient({
    url: `${gatewayUrl.replace(/\/$/, '')}/auth/v1`,
    projectId,
    fetch: (input, init) => send(input, { ...init, headers: { ...init?.headers, origin: site.origin } }),
  })
  const tokenOf = (headers: Headers) => readCookie(headers.get('cookie'), names.session)

  const routes: Readonly<Record<string, (request: Request) => Promise<Response>>> = {
    async 'POST nonce'() {
      const { nonce, token = '', expiresAt }: Nonce = await client.createNonce()
      return json(200, { nonce, expiresAt }, setCookie(names.nonce, token, expiresAt, secure))
    },

    async 'POST authenticate'(request) {
      const proof = await readProof(request)
      if (!proof) return refusal(400, 'BODY_INVALID', 'The body has no message and signature')
      const nonceToken = readCookie(request.headers.get('cookie'), names.nonce)
      const { token = '', session } = await client.authenticate(proof, nonceToken)
      return json(
        200,
        { session },
        clearCookie(names.nonce, secure),
        setCookie(names.session, token, session.expiresAt, secure),
      )
    },

    async 'GET me'(request) {
      const token = tokenOf(request.headers)
      const session = token && (await client.getSession(token))
      return session ? json(200, session) : refusal(401, 'SESSION_ABSENT', 'No session has this token')
    },

    async 'POST sign-out'(request) {
      const token = tokenOf(request.headers)
      if (token) await client.signOut(token)
      return json(200, {}, clearCookie(names.session, secure))
    },
  }

  return {
    async handle(request) {
      const route = routes[`${request.method} ${new URL(request.url).pathname.split('/').at(-1)}`]
      if (!route) return refusal(404, 'ROUTE_UNKNOWN', 'Nothing answers at this path')
      // A form of another site can send a POST with cookies, but not this header.
      if (request.method === 'POST' && request.headers.get('origin') !== site.origin) {
        return refusal(403, 'ORIGIN_REFUSED', 'The request is from another site')
      }
      try {
        return await route(request)
      } catch (error) {
        if (error instanceof AuthError && error.reason)
          return refusal(error.status, error.reason, error.message)
        return refusal(503, 'SERVICE_UNAVAILABLE', 'Sign-in is temporarily unavailable')
      }
    },

    async getSession({ headers }) {
      const token = tokenOf(headers)
      return token ? await client.getSession(token) : undefined
    },
  }
}

/** @returns the proof in a body; undefined if the body has no proof. */
async function readProof(request: Request) {
  const text = await request.text()
  if (text.length > MAX_BODY) return undefined
  let body: { message?: unknown; signature?: unknown; cacaos?: unknown } | undefined
  try {
    body = JSON.parse(text)
  } catch {
    return undefined
  }
  if (Array.isArray(body?.cacaos)) return { cacaos: body.cacaos as Cacao[] }
  const { message, signature } = body ?? {}
  return typeof message === 'string' && typeof signature === 'string' ? { message, signature } : undefined
}

function json(status: number, body: unknown, ...cookies: string[]): Response {
  const headers = new Headers({ 'content-type': 'application/json', 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(JSON.stringify(body), { status, headers })
}

/** Returns a refusal in the shape of the gateway's. */
function refusal(status: number, code: string, description: string): Response {
  return json(status, { status: 'FAILED', code, reasons: [{ field: '', description }] })
}
