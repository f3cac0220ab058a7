import type { ChainState } from '../types/state.ts'
import type { SwapState } from '../types/swap.ts'
import { currentQuote, toTokenAmount } from './amounts.ts'
import { swapPrice } from './tokens.ts'

/** What a swap loses. */
export interface SwapLoss {
  /** Of what is sold, for display. */
  readonly percent: number
  /** `impact`: the swap itself moves the price. `worth`: the pools pay less than what is sold is worth elsewhere. */
  readonly cause: 'impact' | 'worth'
}

/** What the current quote loses, by the cause that counts for more; undefined while nothing is known of it. For display. */
export function swapLoss(swap: SwapState, chain: ChainState): SwapLoss | undefined {
  const impact = currentQuote(swap)?.priceImpact
  const worth = worthLost(swap, chain)
  if (worth !== undefined && worth > (impact ?? 0)) return { percent: worth, cause: 'worth' }
  return impact === undefined ? undefined : { percent: impact, cause: 'impact' }
}

/** How much less the bought tokens are worth than those sold, in percent; undefined where a price is not known. */
function worthLost(swap: SwapState, chain: ChainState): number | undefined {
  const { sourceToken, toToken, sourceTokenAmount } = swap
  if (!sourceToken || !toToken) return undefined
  const sold = Number(sourceTokenAmount) * (swapPrice(swap, chain, sourceToken) ?? 0)
  const bought = Number(toTokenAmount(swap)) * (swapPrice(swap, chain, toToken) ?? 0)
  return sold > 0 && bought > 0 ? (100 * (sold - bought)) / sold : undefined
}
