import { type Hawser, selectAccount } from '@hawser/core'
import { useEffect } from 'react'
import { useHawserState } from '../hooks/useHawserState.ts'
import { mayPrefetch, whenIdle } from './idle.ts'
import { preloadModal } from './loadModal.ts'

/** Prefetches the modal in idle time after `load`, and the account's views once a wallet is connected. */
export function usePrefetch(hawser: Hawser): void {
  const isConnected = useHawserState(hawser.chain, (state) => selectAccount(state).address !== undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is fetched depends on whether a wallet is connected
  useEffect(() => {
    if (mayPrefetch(hawser)) return whenIdle(() => void preloadModal(hawser))
  }, [hawser, isConnected])
}
