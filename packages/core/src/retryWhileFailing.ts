import { OUTAGE_RETRY_MS } from './constants.ts'
import type { Hawser } from './types/hawser.ts'

export interface RetryTask {
  /** Must not throw. */
  readonly read: () => Promise<void>
  /** Whether the last reading failed. */
  readonly hasFailed: () => boolean
}

export interface Retry {
  /** Reads now. */
  run(): void
  /** Ends the repetition; a reading under way is not aborted. */
  stop(): void
}

/**
 * Makes a reading that is repeated every 10 seconds while it fails, so that a list comes back by itself once the gateway
 * can be reached. A hidden tab reads nothing.
 */
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
