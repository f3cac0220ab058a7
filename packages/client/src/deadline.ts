import { TimeoutError } from './errors.ts'

/** A signal that aborts with a TimeoutError after a time, or with the caller's own reason. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Restarts the timer. */
  restart(): void
  /** Releases the timer and the caller's signal. */
  end(): void
}

/**
 * Creates a deadline.
 *
 * @throws the signal's reason when the caller aborted before.
 */
export function createDeadline(timeoutMs: number, signal: AbortSignal | undefined): Deadline {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const giveUp = () => controller.abort(signal?.reason)
  const start = () => setTimeout(() => controller.abort(new TimeoutError(timeoutMs)), timeoutMs)
  let timer = start()
  signal?.addEventListener('abort', giveUp)
  return {
    signal: controller.signal,
    restart() {
      clearTimeout(timer)
      timer = start()
    },
    end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    },
  }
}
