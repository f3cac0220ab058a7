import { BALANCE_CACHE_MS, IDENTITY_CACHE_MS, NAME_CACHE_MS, NATIVE_BALANCE_CACHE_MS } from '../constants.ts'
import type { Clock, KeyValueStorage } from '../types/environment.ts'

const LONGEST_CACHE_MS = Math.max(BALANCE_CACHE_MS, NATIVE_BALANCE_CACHE_MS, NAME_CACHE_MS, IDENTITY_CACHE_MS)

const PREFIX = '@hawser/v1/'

/** Stands for all items, any of which may have changed. */
export const anyItem = '*'

/**
 * Values that persist between page loads. Reads and writes never throw: if storage is blocked, memory is used, which
 * is logged once for each kind of access.
 */
export interface HawserStorage {
  read<T>(item: string): T | undefined
  write(item: string, value: unknown): void
  remove(item: string): void
  /** Reads a value no older than `maxAgeMs`. */
  readCached<T>(cache: string, key: string, maxAgeMs: number): T | undefined
  writeCached(cache: string, key: string, value: unknown): void
  /**
   * Calls `listener` with the item another tab changed, with undefined when it cleared everything, and with `anyItem`
   * when the browser restored this page, which heard nothing while it was left.
   */
  onOtherTab(listener: (item: string | undefined) => void): () => void
}

/** What failed, for the log. */
type Access = 'read' | 'understood' | 'written' | 'cleared'

/** An entry is null only in damaged storage. */
type CacheEntries = Readonly<Record<string, CacheEntry | null>>

interface CacheEntry {
  readonly at: number
  readonly value: unknown
}

/**
 * Creates the storage.
 *
 * @param backing the browser's localStorage by default, which is read at first use, so that a server can create an
 *   instance.
 */
export function createHawserStorage(clock: Clock, backing?: KeyValueStorage): HawserStorage {
  const memory = new Map<string, string>()
  const logged = new Set<Access>()

  function guarded<T>(access: Access, use: (storage: KeyValueStorage) => T): T | undefined {
    try {
      const storage = backing ?? globalThis.localStorage
      return storage && use(storage)
    } catch (error) {
      log(access, error)
      return undefined
    }
  }

  function log(access: Access, error: unknown): void {
    if (!logged.has(access)) console.error(`[hawser] storage could not be ${access}`, error)
    logged.add(access)
  }

  function read<T>(item: string): T | undefined {
    const key = PREFIX + item
    const text = memory.get(key) ?? guarded('read', (storage) => storage.getItem(key))
    if (text == null) return undefined
    try {
      return JSON.parse(text) as T
    } catch (error) {
      log('understood', error)
      return undefined
    }
  }

  function write(item: string, value: unknown): void {
    const key = PREFIX + item
    const text = JSON.stringify(value)
    const stored = guarded('written', (storage) => {
      storage.setItem(key, text)
      return true
    })
    if (stored) memory.delete(key)
    else memory.set(key, text)
  }

  function remove(item: string): void {
    const key = PREFIX + item
    memory.delete(key)
    guarded('cleared', (storage) => storage.removeItem(key))
  }

  function entriesOf(cache: string): CacheEntries {
    return Object(read(cache))
  }

  return {
    read,
    write,
    remove,
    readCached<T>(cache: string, key: string, maxAgeMs: number) {
      const entry = entriesOf(cache)[key]
      return isFresh(entry, clock.now(), maxAgeMs) ? (entry.value as T) : undefined
    },
    writeCached(cache, key, value) {
      write(cache, { ...withoutOld(entriesOf(cache), clock.now()), [key]: { at: clock.now(), value } })
    },
    onOtherTab(listener) {
      const onStorage = (event: StorageEvent) => {
        if (event.key === null) listener(undefined)
        else if (event.key.startsWith(PREFIX)) listener(event.key.slice(PREFIX.length))
      }
      const onShow = ({ persisted }: PageTransitionEvent) => persisted && listener(anyItem)
      globalThis.addEventListener?.('storage', onStorage)
      globalThis.addEventListener?.('pageshow', onShow)
      return () => {
        globalThis.removeEventListener?.('storage', onStorage)
        globalThis.removeEventListener?.('pageshow', onShow)
      }
    },
  }
}

/** Drops expired entries at every write, so that a cache does not grow without bound. */
function withoutOld(entries: CacheEntries, now: number): CacheEntries {
  return Object.fromEntries(
    Object.entries(entries).filter(([, entry]) => isFresh(entry, now, LONGEST_CACHE_MS)),
  )
}

/** Reports whether an entry is valid and of the last `maxAgeMs`. One of the future was written by a clock that was ahead. */
function isFresh(entry: CacheEntry | null | undefined, now: number, maxAgeMs: number): entry is CacheEntry {
  return Math.abs(now - (entry?.at as number)) < maxAgeMs
}
