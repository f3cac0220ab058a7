import type { Hawser } from '../types/hawser.ts'

export interface RefreshTask {
  /** Interval in milliseconds while nothing is pushed. */
  readonly every: number
  /** Must not throw. */
  readonly read: () => Promise<void>
  /** Reports whether the gateway has not read everything yet. */
  readonly isIncomplete: () => boolean
}

/**
 * Keeps data up to date that depends on the account's history: reads it now, when the gateway pushes a change, and
 * when the account or network changes; at an interval without a stream or while the data is incomplete. A hidden tab
 * sends no requests.
 *
 * @returns a function that stops it.
 */
export function refreshOnChange(hawser: Hawser, { every, read, isIncomplete }: RefreshTask): () => void {
  const page = typeof document === 'undefined' ? undefined : document
  let cancelTick: () => void = () => undefined

  function wait(): void {
    cancelTick()
    cancelTick = hawser.clock.after(every, tick)
  }

  function refresh(): void {
    wait()
    if (!page?.hidden) void read()
  }

  function tick(): void {
    if (!hawser.push.getState().isLive || isIncomplete()) refresh()
    else wait()
  }

  const stops = [
    hawser.chain.subscribe((state, before) => {
      if (state.activeCaipAddress !== before.activeCaipAddress) refresh()
    }),
    hawser.push.subscribe((state, before) => {
      if (state.activityChanges !== before.activityChanges || (state.isLive && !before.isLive)) refresh()
    }),
  ]
  page?.addEventListener('visibilitychange', refresh)
  refresh()

  return () => {
    for (const stop of stops) stop()
    page?.removeEventListener('visibilitychange', refresh)
    cancelTick()
  }
}
