import type { Hawser } from '../types/hawser.ts'

export interface RefreshTask {
  /** Milliseconds between two readings while nothing is pushed. */
  readonly every: number
  /** Must not throw. */
  readonly read: () => Promise<void>
  /** True while the gateway itself has not read everything yet. */
  readonly isIncomplete: () => boolean
}

/**
 * Keeps fresh what follows from the history of the account: now, whenever the gateway tells of a change, and when
 * account or network change. Without a stream from the gateway, or while not everything was read, it is asked again and
 * again. A hidden tab asks nothing.
 *
 * @returns what stops it.
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
