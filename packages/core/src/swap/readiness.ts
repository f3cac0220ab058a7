import type { ChainState } from '../types/state.ts'
import type { SwapProblem, SwapState } from '../types/swap.ts'
import { currentQuote, nativeSpent, sourceAmount } from './amounts.ts'
import { isNativeSwapToken, isSameSwapToken, swapBalance } from './tokens.ts'

/** The first reason why the swap cannot be confirmed, or `ready`. */
export type SwapReadiness =
  | 'loading'
  | 'selectToken'
  | 'enterAmount'
  | 'incorrectValue'
  | 'insufficientBalance'
  | SwapProblem
  | 'quoting'
  | 'insufficientGas'
  | 'expired'
  | 'ready'

export interface SwapReadinessOptions {
  /** A paymaster may pay the gas of a smart account, so its balance is not checked for gas. */
  readonly isSmartAccount?: boolean
}

/** Checks the swap against the balances of the account. */
export function swapReadiness(
  swap: SwapState,
  chain: ChainState,
  { isSmartAccount = false }: SwapReadinessOptions = {},
): SwapReadiness {
  const { sourceToken, toToken } = swap
  if (!sourceToken) return swap.availability === 'unknown' ? 'loading' : 'selectToken'
  if (!toToken || isSameSwapToken(sourceToken, toToken)) return 'selectToken'
  if (swap.sourceTokenAmount === '') return 'enterAmount'
  const amount = sourceAmount(swap)
  if (!amount) return 'incorrectValue'
  const balance = swapBalance(swap, chain, sourceToken)
  if (balance !== undefined && amount > balance) return 'insufficientBalance'
  if (swap.problem) return swap.problem
  if (!currentQuote(swap)) return 'quoting'
  if (!isSmartAccount && hasInsufficientGas(swap, chain)) return 'insufficientGas'
  if (swap.isExpired) return 'expired'
  return 'ready'
}

/** False while fees or balance are not loaded. */
function hasInsufficientGas(swap: SwapState, chain: ChainState): boolean {
  const native = swap.tokens.find(isNativeSwapToken)
  const held = native && swapBalance(swap, chain, native)
  const spent = nativeSpent(swap)
  return held !== undefined && spent !== undefined && spent > held
}
