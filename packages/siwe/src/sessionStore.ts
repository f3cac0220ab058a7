import type { AuthSession } from './authClient.ts'

/** The part of `Storage` that is used. */
export interface KeyValueStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** A session with what proves it. */
export interface StoredSession {
  readonly session: AuthSession
  /** Absent if the site's server keeps it in a cookie. */
  readonly token?: string
  readonly message: string
  readonly signature: string
}

const KEY = '@hawser/v1/siwx'
/** Maximum number of accounts that one browser stays signed in with. */
const MAX_SESSIONS = 20

/** Stores sessions by namespace and address. */
export function createSessionStore(storage: KeyValueStorage | undefined, now: () => number = Date.now) {
  const backing = storage ?? browserStorage()
  /** The sessions while the storage cannot keep them. */
  let unsaved: readonly StoredSession[] | undefined = backing ? undefined : []

  function list(): readonly StoredSession[] {
    return (unsaved ?? read()).filter(({ session }) => Date.parse(session.expiresAt) > now())
  }

  function read(): readonly StoredSession[] {
    try {
      const entries = JSON.parse(backing?.getItem(KEY) ?? '[]') as StoredSession[]
      return entries.filter((entry) => Boolean(entry?.session?.address))
    } catch {
      return []
    }
  }

  function write(entries: readonly StoredSession[]): void {
    unsaved = entries
    try {
      if (entries.length === 0) backing?.removeItem(KEY)
      else backing?.setItem(KEY, JSON.stringify(entries))
      if (backing) unsaved = undefined
    } catch {
      // A storage that is full or blocked leaves the sessions in memory.
    }
  }

  return {
    list,
    /** @returns the sessions of an account that are valid on a chain. */
    find(chainId: string, address: string): StoredSession[] {
      return list().filter(
        ({ session }) =>
          sameAccount(session, chainId, address) && (session.allChains || session.chainIds.includes(chainId)),
      )
    },
    /** Adds a session, in place of those that it covers. */
    add(entry: StoredSession): void {
      const { session } = entry
      const others = list().filter(
        (other) =>
          !sameAccount(other.session, session.chainId, session.address) ||
          (!session.allChains && !other.session.chainIds.some((chain) => session.chainIds.includes(chain))),
      )
      write([entry, ...others].slice(0, MAX_SESSIONS))
    },
    remove({ session }: StoredSession): void {
      write(
        list().filter(
          ({ session: other }) => other.address !== session.address || other.chainId !== session.chainId,
        ),
      )
    },
  }
}

function sameAccount(session: AuthSession, chainId: string, address: string): boolean {
  const [namespace] = chainId.split(':')
  if (session.chainId.split(':')[0] !== namespace) return false
  return namespace === 'eip155'
    ? session.address.toLowerCase() === address.toLowerCase()
    : session.address === address
}

function browserStorage(): KeyValueStorage | undefined {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}
