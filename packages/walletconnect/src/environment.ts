/** Time, injected for tests. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** Runs `task` after `ms` milliseconds; returns a function that cancels it. */
  after(ms: number, task: () => void): () => void
}

/** The part of the Web Storage API that is used. It must not throw. */
export interface KeyValueStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export type Log = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, string | number | boolean | undefined>>,
) => void

/** The part of a browser's WebSocket that is used; `ws` has it too. */
export interface Socket {
  readonly readyState: number
  onopen: ((event: never) => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: ((event: { code: number; reason: string }) => void) | null
  onerror: ((event: never) => void) | null
  send(text: string): void
  close(code?: number, reason?: string): void
}

/** What a client requires from its host. */
export interface Environment {
  readonly clock: Clock
  readonly storage: KeyValueStorage
  readonly log: Log
  /** Opens a WebSocket. */
  readonly openSocket: (url: string) => Socket
  /** Returns a number from 0 to below 1, for the jitter of retries. */
  readonly random: () => number
  readonly fetch: typeof fetch
}

/** Fills in the defaults of a browser. */
export function completeEnvironment(given: Partial<Environment> = {}): Environment {
  return {
    clock: systemClock,
    storage: createMemoryStorage(),
    log: () => undefined,
    openSocket: (url) => new WebSocket(url) as Socket,
    random: Math.random,
    fetch: (input, init) => fetch(input, init),
    ...given,
  }
}

const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}

/** Returns a clock whose tasks are all cancelled, and never run again, once `signal` is aborted. */
export function clockUntil(signal: AbortSignal, clock: Clock): Clock {
  const cancels = new Set<() => void>()
  signal.addEventListener('abort', () => {
    for (const cancel of cancels) cancel()
    cancels.clear()
  })
  return {
    now: () => clock.now(),
    after(ms, task) {
      if (signal.aborted) return () => undefined
      const cancel = clock.after(ms, () => {
        cancels.delete(cancel)
        task()
      })
      cancels.add(cancel)
      return () => {
        cancels.delete(cancel)
        cancel()
      }
    },
  }
}

function createMemoryStorage(): KeyValueStorage {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
}
