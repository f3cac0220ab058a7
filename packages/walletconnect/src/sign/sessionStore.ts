import type { Clock, KeyValueStorage } from '../environment.ts'
import type { StoredSession } from './session.ts'

const KEY = 'sessions'

/** The sessions of a client, in the storage that its tabs share. */
export interface SessionStore {
  /** Returns a session that has not expired. */
  get(topic: string): StoredSession | undefined
  /** Returns all sessions that have not expired, the oldest first. */
  all(): readonly StoredSession[]
  put(session: StoredSession): void
  /** Changes a stored session; does nothing once it is deleted. */
  change(topic: string, change: Partial<StoredSession>): void
  delete(topic: string): void
}

type Stored = Record<string, StoredSession>

/** Creates a store that reads the storage at every call, because another tab may have changed it. */
export function createSessionStore(storage: KeyValueStorage, clock: Clock): SessionStore {
  function read(): Stored {
    try {
      const stored = JSON.parse(storage.getItem(KEY) ?? '{}') as Stored
      const live = Object.entries(stored).filter(([, { expiresAt }]) => expiresAt > clock.now())
      return Object.fromEntries(live)
    } catch {
      return {}
    }
  }

  function write(sessions: Stored): void {
    if (Object.keys(sessions).length === 0) storage.removeItem(KEY)
    else storage.setItem(KEY, JSON.stringify(sessions))
  }

  return {
    get: (topic) => read()[topic],
    all: () => Object.values(read()),
    put: (session) => write({ ...read(), [session.topic]: session }),
    change(topic, change) {
      const sessions = read()
      const session = sessions[topic]
      if (session) write({ ...sessions, [topic]: { ...session, ...change } })
    },
    delete(topic) {
      const { [topic]: _, ...others } = read()
      write(others)
    },
  }
}
