import { type OnrampState, watchOnramp } from '@hawser/core'
import { useEffect } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'

/** Keeps what can be bought and its quotes fresh while a view is shown. */
export function useWatchedOnramp(): OnrampState {
  const hawser = useHawser()
  useEffect(() => watchOnramp(hawser), [hawser])
  return useHawserState(hawser.onramp, (state) => state)
}
