import type { Clock } from './types/environment.ts'

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}
