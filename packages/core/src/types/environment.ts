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
