import { ACTIVITY_REFRESH_MS } from '../constants.ts'
import type { Hawser } from '../types/hawser.ts'
import { fetchActivity } from './fetchActivity.ts'

/**
 * Keeps the newest page of the history fresh: now, whenever the gateway tells of a change, and when account or network
 * change. Without a stream from the gateway, or while it still reads older blocks, it is asked every 10 seconds. A
 * hidden tab asks nothing.
 *
 * @returns what stops it.
 */
export function watchActivity(hawser: Hawser): () => void {
  const page = typeof document === 'undefined' ? undefined : document

  function refresh(): void {
    hawser.timers.set('activity', ACTIVITY_REFRESH_MS, tick)
    if (!page?.hidden) void fetchActivity(hawser)
  }

  function tick(): void {
    const isBackfilling = hawser.activity.getState().coverage?.backfilling === true
    if (!hawser.push.getState().isLive || isBackfilling) refresh()
    else hawser.timers.set('activity', ACTIVITY_REFRESH_MS, tick)
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
    hawser.timers.cancel('activity')
  }
}
