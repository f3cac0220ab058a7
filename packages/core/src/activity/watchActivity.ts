import { ACTIVITY_REFRESH_MS } from '../constants.ts'
import { refreshOnChange } from '../push/refreshOnChange.ts'
import type { Hawser } from '../types/hawser.ts'
import { fetchActivity } from './fetchActivity.ts'

/** Keeps the newest page of the history fresh, see `refreshOnChange`; every 10 seconds while nothing is pushed. */
export function watchActivity(hawser: Hawser): () => void {
  return refreshOnChange(hawser, {
    every: ACTIVITY_REFRESH_MS,
    read: () => fetchActivity(hawser),
    isIncomplete: () => {
      const { coverage, hasFailed } = hawser.activity.getState()
      return coverage?.backfilling === true || hasFailed
    },
  })
}
