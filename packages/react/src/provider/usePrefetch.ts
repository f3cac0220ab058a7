import { type Hawser, selectAccount } from '@hawser/core'
import { useEffect } from 'react'
import { useHawserState } from '../hooks/useHawserState.ts'
import { mayPrefetch, whenIdle } from './idle.ts'
import { preloadModal } from './loadModal.ts'

/** Fetches what the first click shows in idle time after `load`, and what it shows once somebody is connected. */
export function usePrefetch(hawser: Hawser): void {
  const isConnected = useHawserState(hawser.chain, (state) => selectAccount(state).address !== undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is fetched depends on whether somebody is connected
  useEffect(() => {
    if (mayPrefetch(hawser)) return whenIdle(() => void preloadModal(hawser))
  }, [hawser, isConnected])
}
