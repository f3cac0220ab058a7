import type { Connector } from '../types/connector.ts'
import type { Clock } from '../types/environment.ts'

/** Timeout of requests that open no prompt, in milliseconds; a wallet that does not answer is taken as gone. */
export const SILENT_DEADLINE_MS = 5_000

/** Timeout of an embedded wallet, whose frame is loaded first, in milliseconds. */
const FRAME_DEADLINE_MS = 20_000

/**
 * Runs a task that asks a wallet without a prompt.
 *
 * @throws Error when the wallet does not answer in time
 */
export async function askSilently<T>(
  clock: Clock,
  { type }: Pick<Connector, 'type'>,
  task: () => Promise<T>,
): Promise<T> {
  const deadline = type === 'AUTH' ? FRAME_DEADLINE_MS : SILENT_DEADLINE_MS
  const answer = await within(clock, deadline, async () => ({ value: await task() }))
  if (!answer) throw new Error('the wallet does not answer')
  return answer.value
}

/** Runs a task; resolves to undefined after `ms` milliseconds. */
export function within<T>(clock: Clock, ms: number, task: () => Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve(undefined))
    task().then(resolve, reject).finally(cancel)
  })
}
