/** Time, passed in so that tests own it. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** Runs `task` after `ms` milliseconds; returns what cancels it. */
  after(ms: number, task: () => void): () => void
}

/** The part of the Web Storage API the product uses. */
export interface KeyValueStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Watches whether the gateway refuses the site itself: its project id, or its origin. */
export interface Configuration {
  /** `fetch` that watches every response of the gateway: REST, JSON-RPC or a stream. */
  readonly fetch: typeof fetch
  /** Reports the error that a stream ended with, by its code in the Connect protocol. */
  refused(code: string): void
}
