import type { Failure } from '@hawser/client'

/** Time, injected for tests. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** Runs `task` after `ms` milliseconds; returns a function that cancels it. */
  after(ms: number, task: () => void): () => void
}

/** The part of the Web Storage API that is used. */
export interface KeyValueStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Values of a log entry. Topics, URIs, keys, addresses and message texts must not be logged. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>

/** Writes an entry to the instance's log. */
export type Log = (level: LogLevel, message: string, fields?: LogFields) => void

/** Calls a chain's node through the gateway, with the timeout of the gateway's client. */
export type NodeRequest = (
  method: string,
  params: readonly unknown[],
  signal?: AbortSignal,
) => Promise<unknown>

/** Watches whether the gateway refuses the site: its project id or its origin. */
export interface Configuration {
  /** A `fetch` that watches the JSON-RPC endpoint; Connect calls report their results. */
  readonly fetch: typeof fetch
  /** Reports a call that succeeded. */
  succeeded(): void
  /** Reports an error response of the gateway. */
  failed(failure: Failure): void
}
