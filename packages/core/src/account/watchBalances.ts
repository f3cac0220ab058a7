import { selectAccount } from '../chain/selectors.ts'
import { BALANCE_REFRESH_MS, PRICE_REFRESH_MS } from '../limits.ts'
import type { Hawser } from '../types/hawser.ts'
import { fetchNativeBalance } from './nativeBalance.ts'
import { fetchTokenBalance } from './tokenBalance.ts'

/**
 * Keeps the balances of the active account fresh: reads them now, every 10 seconds, when the account or network
 * changes, and when the visitor comes back to the tab. While the gateway pushes changes, only prices are read, once a
 * minute. A hidden tab sends no requests. After a 503 the interval stops until the next of these events.
 *
 * @returns a function that stops it.
 */
export function watchBalances(hawser: Hawser): () => void {
  const page = typeof document === 'undefined' ? undefined : document

  function wait(): void {
    const { isLive } = hawser.push.getState()
    hawser.timers.set('balances', isLive ? PRICE_REFRESH_MS : BALANCE_REFRESH_MS, refresh)
  }

  function refresh(): void {
    if (page?.hidden) {
      hawser.timers.cancel('balances')
      return
    }
    wait()
    void fetchNativeBalance(hawser)
    void fetchTokenBalance(hawser)
  }

  function start(): void {
    if (isUpToDate(hawser)) wait()
    else refresh()
  }

  const stops = [
    hawser.chain.subscribe((state, before) => {
      if (state.activeCaipAddress !== before.activeCaipAddress) refresh()
    }),
    hawser.push.subscribe((state, before) => {
      if (state.isLive !== before.isLive) start()
    }),
  ]
  page?.addEventListener('visibilitychange', refresh)
  start()

  return () => {
    for (const stop of stops) stop()
    page?.removeEventListener('visibilitychange', refresh)
    hawser.timers.cancel('balances')
  }
}

/** Pushed balances are newer than any response could be. */
function isUpToDate(hawser: Hawser): boolean {
  return hawser.push.getState().isLive && selectAccount(hawser.chain.getState()).tokenBalanceLoaded
}
