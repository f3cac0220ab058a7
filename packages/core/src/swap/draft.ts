import type { Hawser } from '../types/hawser.ts'
import type { View } from '../types/router.ts'
import { initialSwap } from './initialSwap.ts'

const timers = ['swap:debounce', 'swap:poll', 'swap:expiry'] as const

/** Resets the swap. A transaction that was sent is still tracked. */
export function resetSwap(hawser: Hawser): void {
  hawser.latest.abandon('swap')
  for (const timer of timers) hawser.timers.cancel(timer)
  hawser.swap.setState(initialSwap, true)
}

/** Reports whether a view belongs to the swap. */
export function isSwapView(view: View): boolean {
  return view.startsWith('Swap')
}
