import type { Clock } from '../types/environment.ts'

/** Timeout of requests that open no prompt, in milliseconds; a wallet that does not answer is taken as gone. */
export const SILENT_DEADLINE_MS = 5_000

/** Timeout of an embedded wallet, whose frame is loaded first, in milliseconds. */
export const FRAME_DEADLINE_MS = 20_000

/** Runs a task; resolves to undefined after `ms` milliseconds. */
export function within<T>(clock: Clock, ms: number, task: () => Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve(undefined))
    task().then(resolve, reject).finally(cancel)
  })
}
