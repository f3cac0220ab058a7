import type { Hawser } from '../types/hawser.ts'
import type { View } from '../types/router.ts'
import { initialSwap } from './initialSwap.ts'

const timers = ['swap:debounce', 'swap:poll', 'swap:expiry'] as const

/** Drops the swap. A transaction that the wallet has sent is followed all the same. */
export function resetSwap(hawser: Hawser): void {
  hawser.latest.abandon('swap')
  for (const timer of timers) hawser.timers.cancel(timer)
  hawser.swap.setState(initialSwap, true)
}

/** The views that share one swap. */
export function isSwapView(view: View): boolean {
  return view.startsWith('Swap')
}
