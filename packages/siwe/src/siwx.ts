import { type AuthSession, type Cacao, createAuthClient } from './authClient.ts'
import { formatMessage, type SignInMessage } from './message.ts'
import { createSessionStore, type KeyValueStorage, type StoredSession } from './sessionStore.ts'

/** A message for one account, before it is signed. */
export interface SiwxMessage extends Omit<SignInMessage, 'namespace' | 'address' | 'chainId'> {
  readonly accountAddress: string
  /** CAIP-2. */
  readonly chainId: string
  /** Returns the text to sign. */
  toString(): string
}

/** A signed message. */
export interface SiwxSession {
  readonly data: Pick<SiwxMessage, 'accountAddress' | 'chainId'> & Partial<SiwxMessage>
  readonly message: string
  /** `0x` and hex digits for `eip155`, base 58 for `solana`. */
  readonly signature: string
  readonly cacao?: Cacao
}

/** How a site signs visitors in; a site can implement it by itself. */
export interface Siwx {
  createMessage(input: {
    readonly chainId: string
    readonly accountAddress: string
    readonly notBefore?: string
  }): Promise<SiwxMessage>
  /** Verifies and stores a session. Rejects if the proof is refused. */
  addSession(session: SiwxSession): Promise<void>
  /** Replaces all sessions; an empty list signs out everywhere. */
  setSessions(sessions: readonly SiwxSession[]): Promise<void>
  revokeSession(chainId: string, address: string): Promise<void>
  /** @returns the valid sessions of an account on a chain. */
  getSessions(chainId: string, address: string): Promise<readonly SiwxSession[]>
  /** Whether a visitor who does not sign is disconnected; true if absent. */
  getRequired?(): boolean
  /** Whether a disconnect signs out; true if absent. */
  readonly signOutOnDisconnect?: boolean
}

/** Options of `createSiwx`. */
export interface SiwxOptions {
  /** Base URL of the auth service: `https://<gateway>/auth/v1`, or the path of the site's server such as `/api/auth`. */
  readonly url: string
  /** Project id at the gateway; absent for the site's server. */
  readonly projectId?: string
  /** One line for the signer. */
  readonly statement?: string
  /** RFC 3986 URIs. */
  readonly resources?: readonly string[]
  /** Whether a visitor who does not sign is disconnected. Defaults to true. */
  readonly required?: boolean
  /** Whether a disconnect signs out. Defaults to true. */
  readonly signOutOnDisconnect?: boolean
  /** Defaults to `localStorage`, or to memory where that is blocked. */
  readonly storage?: KeyValueStorage
  readonly fetch?: typeof fetch
  /** Origin of the page. Defaults to `location.origin`. */
  readonly origin?: string
  readonly now?: () => Date
}

/** Maximum number of messages that wait for a signature. */
const MAX_NONCE_TOKENS = 32

/** Returns sign-in that the auth service of a gateway verifies, or a server of the site in front of it. */
export function createSiwx(options: SiwxOptions): Siwx {
  const {
    statement,
    resources,
    required = true,
    signOutOnDisconnect = true,
    now = () => new Date(),
  } = options
  const client = createAuthClient(options)
  const stored = createSessionStore(options.storage)
  /** Tokens of nonces that wait for a signature. */
  const nonceTokens = new Map<string, string>()

  /** Keeps the newest tokens only: a message that was not signed leaves its token here. */
  function keepToken(nonce: string, token: string): void {
    nonceTokens.set(nonce, token)
    const [oldest] = nonceTokens.keys()
    if (nonceTokens.size > MAX_NONCE_TOKENS && oldest !== undefined) nonceTokens.delete(oldest)
  }

  function takeToken(nonce: string): string | undefined {
    const token = nonceTokens.get(nonce)
    nonceTokens.delete(nonce)
    return token
  }

  async function authenticate(list: readonly SiwxSession[]): Promise<void> {
    const [first] = list
    if (!first) return
    const cacaos = list.flatMap(({ cacao }) => cacao ?? [])
    const nonce = first.cacao?.p.nonce ?? first.data.nonce ?? ''
    const proof =
      cacaos.length === list.length ? { cacaos } : { message: first.message, signature: first.signature }
    const { token, session } = await client.authenticate(proof, takeToken(nonce))
    stored.add({ session, ...(token && { token }), message: first.message, signature: first.signature })
  }

  async function forget(entry: StoredSession): Promise<void> {
    stored.remove(entry)
    await client.signOut(entry.token).catch(() => undefined)
  }

  return {
    signOutOnDisconnect,
    getRequired: () => required,

    async createMessage({ chainId, accountAddress, notBefore }) {
      const { nonce, token } = await client.createNonce()
      if (token) keepToken(nonce, token)
      const page = new URL(options.origin ?? location.origin)
      const message = {
        domain: page.host,
        uri: page.origin,
        version: '1',
        nonce,
        issuedAt: now().toISOString(),
        ...(notBefore && { notBefore }),
        ...(statement && { statement }),
        ...(resources && { resources }),
      } as const
      const { namespace, reference } = split(chainId)
      const text = formatMessage({ ...message, namespace, address: accountAddress, chainId: reference })
      return { ...message, accountAddress, chainId, toString: () => text }
    },

    addSession: (session) => authenticate([session]),

    async setSessions(sessions) {
      if (sessions.length === 0) {
        await Promise.all(stored.list().map(forget))
        return
      }
      await authenticate(sessions)
    },

    async revokeSession(chainId, address) {
      await Promise.all(stored.find(chainId, address).map(forget))
    },

    async getSessions(chainId, address) {
      const valid: SiwxSession[] = []
      for (const entry of stored.find(chainId, address)) {
        const session = await client.getSession(entry.token)
        if (session && isSame(session, entry.session)) {
          const { message, signature } = entry
          valid.push({ data: { accountAddress: address, chainId }, message, signature })
        } else {
          stored.remove(entry)
        }
      }
      return valid
    },
  }
}

/**
 * Reports whether the server's session belongs to the same account: a cookie may hold another visitor's
 * session.
 */
function isSame(a: AuthSession, b: AuthSession): boolean {
  return a.address.toLowerCase() === b.address.toLowerCase() && a.chainId === b.chainId
}

function split(chainId: string): { namespace: SignInMessage['namespace']; reference: string } {
  const [namespace, reference = ''] = chainId.split(':')
  if (namespace === 'eip155') return { namespace, reference }
  if (namespace === 'solana' || namespace === 'bip122' || namespace === 'polkadot')
    return { namespace, reference: chainId }
  throw new Error(`Sign-in is not available on ${chainId}`)
}
