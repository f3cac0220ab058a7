import type { SwapState } from '../types/swap.ts'

/** The default slippage tolerance: 1 percent. */
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
  permit2Declines: 0,
  steps: undefined,
  hasPriceMoved: false,
  refusal: undefined,
  unconfirmedBecause: undefined,
}
