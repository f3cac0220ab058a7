import type { Clock } from './types/environment.ts'

/** Named timers: setting a name again replaces its pending task. */
export interface Timers {
  /** Runs `task` once after `ms` milliseconds. */
  set(name: string, ms: number, task: () => void): void
  cancel(name: string): void
}

export function createTimers(clock: Clock): Timers {
  const waiting = new Map<string, () => void>()

  function cancel(name: string): void {
    waiting.get(name)?.()
    waiting.delete(name)
  }

  return {
    cancel,
    set(name, ms, task) {
      cancel(name)
      const stop = clock.after(ms, () => {
        waiting.delete(name)
        task()
      })
      waiting.set(name, stop)
    },
  }
}
