import { activeOwner } from '../account/owner.ts'
import { BUY_DEBOUNCE_MS } from '../limits.ts'
import { retryWhileFailing } from '../retryWhileFailing.ts'
import type { Hawser } from '../types/hawser.ts'
import { resumeOrders } from './followOrders.ts'
import { loadOnramp } from './options.ts'
import { takeOwner } from './orders.ts'
import { quoteKey, requestBuyQuotes } from './quotes.ts'

/**
 * Keeps options and quotes up to date while one of the views is shown: quotes are requested 400 ms after the last
 * change of the form, and every 15 seconds. A hidden tab sends no requests. A change of network or account starts
 * again.
 *
 * @returns a function that stops it.
 */
export function watchOnramp(hawser: Hawser): () => void {
  const page = typeof document === 'undefined' ? undefined : document

  function refresh(): void {
    hawser.latest.abandon('onramp:quotes')
    hawser.timers.cancel('onramp:quotes')
    if (!page?.hidden) void requestBuyQuotes(hawser)
  }

  const options = retryWhileFailing(hawser, {
    read: () => loadOnramp(hawser),
    hasFailed: () => hawser.onramp.getState().isDefault,
  })
  const orders = retryWhileFailing(hawser, {
    read: () => resumeOrders(hawser),
    hasFailed: () => hawser.onramp.getState().haveOrdersFailed,
  })

  function start(): void {
    takeOwner(hawser, activeOwner(hawser)?.caipAddress)
    options.run()
    orders.run()
  }

  const stops = [
    options.stop,
    orders.stop,
    hawser.chain.subscribe((state, before) => {
      if (state.activeCaipAddress !== before.activeCaipAddress) start()
    }),
    hawser.onramp.subscribe((state, before) => {
      if (quoteKey(state) === quoteKey(before)) return
      hawser.latest.abandon('onramp:quotes')
      hawser.timers.cancel('onramp:quotes')
      hawser.onramp.setState({ isQuoting: quoteKey(state) !== undefined, problem: undefined })
      hawser.timers.set('onramp:debounce', BUY_DEBOUNCE_MS, refresh)
    }),
  ]
  page?.addEventListener('visibilitychange', refresh)
  if (isUpToDate(hawser)) refresh()
  else start()

  return () => {
    for (const stop of stops) stop()
    page?.removeEventListener('visibilitychange', refresh)
    hawser.timers.cancel('onramp:debounce')
    hawser.timers.cancel('onramp:quotes')
    hawser.latest.abandon('onramp:quotes')
    hawser.latest.abandon('onramp:options')
  }
}

function isUpToDate(hawser: Hawser): boolean {
  const { isLoaded, isDefault, owner, wanted } = hawser.onramp.getState()
  const isNew = Object.keys(wanted).length > 0
  return isLoaded && !isDefault && !isNew && owner === activeOwner(hawser)?.caipAddress
}
