import { fromBase64, toBase64 } from '../factors/factorKey.ts'
import { seal, unseal } from '../factors/seal.ts'
import { failures } from '../failures.ts'
import { type Api, CallError, type CallPath, type Calls } from './api.ts'
import type { DeviceKeys } from './deviceKeys.ts'
import type { DeviceStore } from './deviceStore.ts'

const SESSION = 'session'
/** How long before its expiry an access token is refreshed. */
const REFRESH_BEFORE_SECONDS = 30

/** Tokens of a session as they are stored. Times are Unix seconds. */
interface Session {
  readonly accessToken: string
  readonly accessExpiresAt: number
  readonly refreshToken: string
  readonly refreshExpiresAt: number
  readonly id: string
  readonly userId: string
}

/** The tokens of `hawser.wallet.v1`, in JSON. */
export interface TokensJson {
  readonly accessToken?: string
  readonly accessExpiresAt?: string | number
  readonly refreshToken?: string
  readonly refreshExpiresAt?: string | number
  readonly sessionId?: string
  readonly userId?: string
}

export interface SessionOptions {
  readonly api: Api
  readonly store: DeviceStore
  readonly keys: DeviceKeys
  /** Runs one action at a time among the pages that share the store. */
  readonly exclusively: <T>(action: () => Promise<T>) => Promise<T>
  /** Called when the server ended the session. */
  readonly ended: () => void
}

/** The session of a device: calls with its access token, which it refreshes in time. */
export interface Sessions {
  current(): Promise<Session | undefined>
  /** Stores the tokens of a login. */
  start(tokens: TokensJson | undefined): Promise<Session>
  /** Forgets the tokens on this device. */
  forget(): Promise<void>
  /** Returns an access token that is valid, undefined without a session. */
  accessToken(): Promise<string | undefined>
  /** @throws CallError, with the code `unauthenticated` without a session. */
  call<P extends CallPath>(path: P, request: Calls[P][0]): Promise<Calls[P][1]>
}

/** Creates the session of a device, encrypted in its store by a key that cannot be exported. */
export function createSessions({ api, store, keys, exclusively, ended }: SessionOptions): Sessions {
  async function current(): Promise<Session | undefined> {
    const sealed = await store.get<string>(SESSION)
    if (!sealed) return undefined
    try {
      return JSON.parse(new TextDecoder().decode(await unseal(keys.storage, fromBase64(sealed), SESSION)))
    } catch {
      return undefined
    }
  }

  async function write(session: Session): Promise<Session> {
    const plain = new TextEncoder().encode(JSON.stringify(session))
    await store.put(SESSION, toBase64(await seal(keys.storage, plain, SESSION)))
    return session
  }

  const isFresh = ({ accessExpiresAt }: Session) => accessExpiresAt - REFRESH_BEFORE_SECONDS > api.now()

  /**
   * Refreshes the tokens. A refresh token works once, and a second use ends the session, so pages take turns
   * and read the store again.
   */
  function refresh(): Promise<Session | undefined> {
    return exclusively(async () => {
      const session = await current()
      if (!session || isFresh(session)) return session
      try {
        const { tokens } = await api.call('SessionService/Refresh', { refreshToken: session.refreshToken })
        return await write(sessionOf(tokens))
      } catch (error) {
        if (!isEnded(error)) throw error
        await store.delete(SESSION)
        ended()
        return undefined
      }
    })
  }

  /** Forgets the session of a token that the server ended; another session may have begun meanwhile. */
  async function end(token: string): Promise<void> {
    const session = await current()
    if (session && session.accessToken !== token) return
    await store.delete(SESSION)
    ended()
  }

  async function accessToken(): Promise<string | undefined> {
    const session = await current()
    if (!session) return undefined
    return (isFresh(session) ? session : await refresh())?.accessToken
  }

  return {
    current,
    accessToken,
    // A refresh of the session before it must not overwrite the new one.
    start: (tokens) => exclusively(() => write(sessionOf(tokens))),
    forget: () => store.delete(SESSION),
    async call(path, request) {
      const token = await accessToken()
      if (token === undefined) throw new CallError('unauthenticated', failures.signedOut, 'SESSION_ABSENT')
      try {
        return await api.call(path, request, token)
      } catch (error) {
        if (isEnded(error)) await end(token)
        throw error
      }
    },
  }
}

const isEnded = (error: unknown) => error instanceof CallError && error.reason === 'SESSION_ABSENT'

function sessionOf(tokens: TokensJson | undefined): Session {
  if (!tokens?.accessToken || !tokens.refreshToken) throw new CallError('internal', failures.unknown)
  return {
    accessToken: tokens.accessToken,
    accessExpiresAt: Number(tokens.accessExpiresAt ?? 0),
    refreshToken: tokens.refreshToken,
    refreshExpiresAt: Number(tokens.refreshExpiresAt ?? 0),
    id: tokens.sessionId ?? '',
    userId: tokens.userId ?? '',
  }
}
