import type { KeyValueStorage } from '@hawser/walletconnect'

/** The site of a hand-off, as the gateway checked it. */
export interface Site {
  readonly projectId: string
  /** Empty for a project without a name. */
  readonly name: string
  readonly origin: string
}

/** A hand-off that became a session, so that its link resumes the session. */
export interface HandoffRecord {
  readonly id: string
  /** The session is found by its pairing: it has the same even if the page is loaded again while it begins. */
  readonly pairingTopic: string
  readonly site: Site
  /** Name of the wallet. */
  readonly wallet: string
}

const KEY = 'handoffs'
const CONFIRMED_KEY = 'confirmed'
const KEPT = 20

/** The hand-offs of this browser. */
export interface Records {
  all(): readonly HandoffRecord[]
  /** Adds a record; those of the oldest hand-offs that are not `live` are dropped. */
  add(record: HandoffRecord, isLive: (record: HandoffRecord) => boolean): void
  /** Whether the visitor has said that the digits of a hand-off are equal. */
  isConfirmed(id: string): boolean
  setConfirmed(id: string, isConfirmed: boolean): void
}

export function createRecords(storage: KeyValueStorage): Records {
  function read<T>(key: string): readonly T[] {
    try {
      const stored: unknown = JSON.parse(storage.getItem(key) ?? '[]')
      return Array.isArray(stored) ? stored : []
    } catch {
      return []
    }
  }

  const all = () => read<HandoffRecord>(KEY)

  return {
    all,
    add(record, isLive) {
      const others = all().filter(({ id }) => id !== record.id)
      const ended = others.filter((other) => !isLive(other)).slice(-KEPT)
      const kept = others.filter((other) => isLive(other) || ended.includes(other))
      storage.setItem(KEY, JSON.stringify([...kept, record]))
    },
    isConfirmed: (id) => read(CONFIRMED_KEY).includes(id),
    setConfirmed(id, isConfirmed) {
      const others = read(CONFIRMED_KEY).filter((other) => other !== id)
      const kept = [...others, ...(isConfirmed ? [id] : [])].slice(-KEPT)
      storage.setItem(CONFIRMED_KEY, JSON.stringify(kept))
    },
  }
}
