/** A nonce of the auth service. */
export interface Nonce {
  readonly nonce: string
  /** Secret of this browser; absent if the site's server keeps it. */
  readonly token?: string
  /** RFC 3339. */
  readonly expiresAt: string
}

/** A session of the auth service. */
export interface AuthSession {
  readonly address: string
  /** CAIP-2 id of the chain of the signed message. */
  readonly chainId: string
  /** CAIP-2 ids of all chains that the account proved to hold on. */
  readonly chainIds: readonly string[]
  /** Whether the account's own key signed, which is valid on every chain of the namespace. */
  readonly allChains: boolean
  readonly domain: string
  /** RFC 3339, like the one below. */
  readonly issuedAt: string
  readonly expiresAt: string
}

/** A signed sign-in message (CAIP-74), as a wallet-connect session returns it. */
export interface Cacao {
  readonly h: { readonly t: string }
  readonly p: Readonly<Record<string, unknown>> & { readonly iss: string; readonly nonce: string }
  readonly s: { readonly t: string; readonly s: string }
}

/** What proves a sign-in: a signed text, or the CACAOs of one account. */
export type Proof =
  | { readonly message: string; readonly signature: string }
  | { readonly cacaos: readonly Cacao[] }

/** Options of `createAuthClient`. */
export interface AuthClientOptions {
  /** Base URL of the four paths: `https://<gateway>/auth/v1`, or a path of the site's server such as `/api/auth`. */
  readonly url: string
  /** Project id at the gateway; absent for the site's server. */
  readonly projectId?: string
  readonly fetch?: typeof fetch
}

/** Calls the auth service, or a server of the site that stands in front of it. */
export interface AuthClient {
  createNonce(): Promise<Nonce>
  /** @throws AuthError if the proof is refused. The nonce cannot be used again. */
  authenticate(
    proof: Proof,
    nonceToken?: string,
  ): Promise<{ readonly token?: string; readonly session: AuthSession }>
  /** @returns undefined if there is no such session. */
  getSession(token?: string): Promise<AuthSession | undefined>
  signOut(token?: string): Promise<void>
}

/** A refusal of the auth service. */
export class AuthError extends Error {
  override readonly name = 'AuthError'
  /** HTTP status. */
  readonly status: number
  /**
   * Machine-readable reason, such as `NONCE_INVALID`; undefined if the answer is not the service's, such as a
   * proxy's.
   */
  readonly reason: string | undefined

  constructor(status: number, reason?: string, text?: string) {
    super(text ?? `The auth service answered ${status}`)
    this.status = status
    this.reason = reason
  }
}

const TIMEOUT_MS = 15_000

/** Returns a client of the auth service. */
export function createAuthClient({ url, projectId, fetch: send = fetch }: AuthClientOptions): AuthClient {
  const base = url.replace(/\/$/, '')
  const query = projectId ? `?projectId=${encodeURIComponent(projectId)}` : ''

  async function call<Answer>(method: 'GET' | 'POST', path: string, token?: string, body?: unknown) {
    const response = await send(`${base}/${path}${query}`, {
      method,
      credentials: 'same-origin',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = await response.json().catch(() => undefined)
    if (!response.ok) throw new AuthError(response.status, answer?.code, answer?.reasons?.[0]?.description)
    if (answer === undefined) throw new AuthError(response.status)
    return answer as Answer
  }

  return {
    createNonce: () => call('POST', 'nonce'),
    authenticate: (proof, nonceToken) =>
      call('POST', 'authenticate', undefined, { ...proof, ...(nonceToken && { nonceToken }) }),
    async getSession(token) {
      try {
        return await call<AuthSession>('GET', 'me', token)
      } catch (error) {
        if (error instanceof AuthError && error.status === 401) return undefined
        throw error
      }
    },
    async signOut(token) {
      await call('POST', 'sign-out', token)
    },
  }
}
