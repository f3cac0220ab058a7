import type { ChainState } from '../types/state.ts'
import type { SwapState } from '../types/swap.ts'
import { currentQuote, toTokenAmount } from './amounts.ts'
import { swapPrice } from './tokens.ts'

/** The loss of a swap. */
export interface SwapLoss {
  /** Percent of the sold amount, for display. */
  readonly percent: number
  /** `impact`: the swap itself moves the price. `worth`: the pools pay less than the market price. */
  readonly cause: 'impact' | 'worth'
}

/** Returns the loss of the current quote by its larger cause; undefined while it is unknown. For display. */
export function swapLoss(swap: SwapState, chain: ChainState): SwapLoss | undefined {
  const impact = currentQuote(swap)?.priceImpact
  const worth = worthLost(swap, chain)
  if (worth !== undefined && worth > (impact ?? 0)) return { percent: worth, cause: 'worth' }
  return impact === undefined ? undefined : { percent: impact, cause: 'impact' }
}

/** Returns by how many percent the bought tokens are worth less than the sold ones; undefined if a price is unknown. */
function worthLost(swap: SwapState, chain: ChainState): number | undefined {
  const { sourceToken, toToken, sourceTokenAmount } = swap
  if (!sourceToken || !toToken) return undefined
  const sold = Number(sourceTokenAmount) * (swapPrice(swap, chain, sourceToken) ?? 0)
  const bought = Number(toTokenAmount(swap)) * (swapPrice(swap, chain, toToken) ?? 0)
  return sold > 0 && bought > 0 ? (100 * (sold - bought)) / sold : undefined
}
