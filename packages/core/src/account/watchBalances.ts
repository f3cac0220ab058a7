import { BALANCE_REFRESH_MS } from '../constants.ts'
import type { Hawser } from '../types/hawser.ts'
import { fetchNativeBalance } from './nativeBalance.ts'
import { fetchTokenBalance } from './tokenBalance.ts'

/**
 * Keeps the balances of the active account fresh: now, every 10 seconds, at once when the account or the network
 * changes, and when the visitor comes back to the tab. A hidden tab asks nothing. A 503 stops the rounds until
 * one of those happens.
 *
 * @returns what stops it.
 */
export function watchBalances(hawser: Hawser): () => void {
  const page = typeof document === 'undefined' ? undefined : document

  function refresh(): void {
    if (page?.hidden) {
      hawser.timers.cancel('balances')
      return
    }
    hawser.timers.set('balances', BALANCE_REFRESH_MS, refresh)
    void fetchNativeBalance(hawser)
    void fetchTokenBalance(hawser)
  }

  const unsubscribe = hawser.chain.subscribe((state, before) => {
    if (state.activeCaipAddress !== before.activeCaipAddress) refresh()
  })
  page?.addEventListener('visibilitychange', refresh)
  refresh()

  return () => {
    unsubscribe()
    page?.removeEventListener('visibilitychange', refresh)
    hawser.timers.cancel('balances')
  }
}
