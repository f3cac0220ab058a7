import {
  type ActivityCoverage,
  type ActivityTransaction,
  fetchActivity,
  fetchOlderActivity,
  shownActivity,
  watchActivity,
} from '@hawser/core'
import { useEffect, useMemo } from 'react'
import { useHawser } from './useHawser.ts'
import { useHawserState } from './useHawserState.ts'

/** What `useActivity` returns. */
export interface Activity {
  /** Newest first. Transactions of this page that are not in a block yet come before the others. */
  transactions: readonly ActivityTransaction[]
  /** How far the history reaches; undefined until the first answer. */
  coverage: ActivityCoverage | undefined
  /** False until the first answer for this account and network. */
  isLoaded: boolean
  /** The last request failed; earlier results stay. */
  hasFailed: boolean
  /** There is an older page. */
  hasMore: boolean
  /** Reads the next older page. Never rejects. */
  loadMore: () => Promise<void>
  /** Reads the newest page again. Never rejects: a failure is shown in a toast. */
  refresh: () => Promise<void>
}

/**
 * Returns the history of the active account on the active network, kept fresh while the component is mounted.
 */
export function useActivity(): Activity {
  const hawser = useHawser()
  const activity = useHawserState(hawser.activity, (state) => state)
  useEffect(() => watchActivity(hawser), [hawser])
  const actions = useMemo(
    () => ({ loadMore: () => fetchOlderActivity(hawser), refresh: () => fetchActivity(hawser) }),
    [hawser],
  )
  const { coverage, isLoaded, hasFailed, next } = activity
  return {
    transactions: shownActivity(activity),
    coverage,
    isLoaded,
    hasFailed,
    hasMore: next !== undefined,
    ...actions,
  }
}
