import type { Hawser } from '../types/hawser.ts'
import type { View } from '../types/router.ts'
import type { SwapState } from '../types/swap.ts'

/** What a swap may lose against its quote unless the visitor says otherwise: 1 percent. */
export const DEFAULT_SLIPPAGE_BPS = 100

export const initialSwap: SwapState = {
  owner: undefined,
  status: 'draft',
  availability: 'unknown',
  tokens: [],
  sourceToken: undefined,
  toToken: undefined,
  sourceTokenAmount: '',
  isMaxAmount: false,
  slippage: DEFAULT_SLIPPAGE_BPS,
  quote: undefined,
  isQuoting: false,
  isExpired: false,
  isLive: false,
  problem: undefined,
  prices: {},
  balances: {},
  isAtomic: undefined,
  steps: undefined,
  hasPriceMoved: false,
  refusal: undefined,
  unconfirmedBecause: undefined,
}

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
