import { OUTAGE_RETRY_MS } from './limits.ts'
import type { Hawser } from './types/hawser.ts'

export interface RetryTask {
  /** Must not throw. */
  readonly read: () => Promise<void>
  /** Reports whether the last read failed. */
  readonly hasFailed: () => boolean
}

export interface Retry {
  /** Reads now. */
  run(): void
  /** Stops the retries; a pending read is not aborted. */
  stop(): void
}

/** Creates a read that is retried every 10 seconds while it fails. A hidden tab does not read. */
export function retryWhileFailing(hawser: Hawser, { read, hasFailed }: RetryTask): Retry {
  let cancel: () => void = () => undefined
  let isStopped = false

  async function run(): Promise<void> {
    await read()
    wait()
  }

  function wait(): void {
    cancel()
    if (!isStopped && hasFailed()) cancel = hawser.clock.after(OUTAGE_RETRY_MS, retry)
  }

  function retry(): void {
    if (typeof document !== 'undefined' && document.hidden) wait()
    else if (hasFailed()) void run()
  }

  return {
    run: () => void run(),
    stop() {
      isStopped = true
      cancel()
    },
  }
}
