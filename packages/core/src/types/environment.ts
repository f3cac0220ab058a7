import type { Failure } from '@hawser/client'

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
  /** `fetch` that watches the JSON-RPC endpoint; calls by Connect report what became of them. */
  readonly fetch: typeof fetch
  /** Reports a call that succeeded. */
  succeeded(): void
  /** Reports a failure that the gateway responded with. */
  failed(failure: Failure): void
}
