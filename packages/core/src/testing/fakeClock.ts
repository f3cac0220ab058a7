import type { Clock } from '../types/environment.ts'

/** A clock that a test advances. */
export interface FakeClock extends Clock {
  /** Advances by `ms`, and runs due tasks in order. After each task, waits until its promises settle. */
  advance(ms: number): Promise<void>
  /** Advances by `ms` without running what is due meanwhile, as on a computer that sleeps. */
  sleep(ms: number): void
}

interface Task {
  readonly at: number
  readonly run: () => void
}

export function createFakeClock(start = 1_700_000_000_000): FakeClock {
  let now = start
  const tasks = new Set<Task>()

  function nextDue(until: number): Task | undefined {
    return [...tasks].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
  }

  return {
    now: () => now,
    after(ms, run) {
      const task = { at: now + ms, run }
      tasks.add(task)
      return () => void tasks.delete(task)
    },
    async advance(ms) {
      const until = now + ms
      for (let due = nextDue(until); due; due = nextDue(until)) {
        tasks.delete(due)
        now = Math.max(now, due.at)
        due.run()
        await settle()
      }
      now = until
      await settle()
    },
    sleep(ms) {
      now += ms
    },
  }
}

/** Waits until promises that only wait for each other settle. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0))
}
