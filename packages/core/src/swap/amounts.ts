import { AmountError, formatUnits, parseUnits } from '../amounts/units.ts'
import type { SwapQuote, SwapSlippage, SwapState, SwapToken } from '../types/swap.ts'
import { DEFAULT_SLIPPAGE_BPS } from './initialSwap.ts'
import { isNativeSwapToken } from './tokens.ts'

/** 100 percent, in hundredths of a percent. */
const ALL_BPS = 10_000n

export const MAX_SLIPPAGE_BPS = 5_000

/** Digits a rate is computed with beyond those of the bought token. */
const RATE_DIGITS = 18

/**
 * Returns the typed amount in base units; undefined without one, or when it is not an amount of the token.
 */
export function sourceAmount({ sourceToken, sourceTokenAmount }: SwapState): bigint | undefined {
  if (!sourceToken) return undefined
  try {
    return parseUnits(sourceTokenAmount, sourceToken.decimals)
  } catch (error) {
    if (error instanceof AmountError) return undefined
    throw error
  }
}

/** Returns the quote if it is for the current tokens and amount. */
export function currentQuote(swap: SwapState): SwapQuote | undefined {
  const { quote, sourceToken, toToken } = swap
  const isCurrent =
    quote?.from.toLowerCase() === sourceToken?.address.toLowerCase() &&
    quote?.to.toLowerCase() === toToken?.address.toLowerCase() &&
    quote?.fromAmount === sourceAmount(swap)
  return isCurrent ? quote : undefined
}

/** Returns the output of the swap, as an exact decimal string in whole tokens; empty without a quote. */
export function toTokenAmount(swap: SwapState): string {
  const quote = currentQuote(swap)
  return quote && swap.toToken ? formatUnits(quote.toAmount, swap.toToken.decimals) : ''
}

/**
 * Returns the slippage tolerance in basis points. `auto` is three times the price impact of the swap plus 0.3
 * percent, but never more than 1 percent.
 */
export function slippageBps(slippage: SwapSlippage, quote: SwapQuote | undefined): number {
  if (slippage !== 'auto') return slippage
  if (quote?.priceImpact === undefined) return DEFAULT_SLIPPAGE_BPS
  return Math.min(DEFAULT_SLIPPAGE_BPS, Math.ceil(Math.max(0, quote.priceImpact) * 300) + 30)
}

/** Returns the minimum output in base units: the swap reverts when it would pay less. */
export function minimumReceived({ toAmount }: SwapQuote, slippageInBps: number): bigint {
  return (toAmount * (ALL_BPS - BigInt(slippageInBps))) / ALL_BPS
}

/**
 * Returns the output for one whole sold token, as an exact decimal string in whole bought tokens; undefined
 * when nothing is sold.
 */
export function swapRate(
  { fromAmount, toAmount }: SwapQuote,
  from: SwapToken,
  to: SwapToken,
): string | undefined {
  if (fromAmount === 0n) return undefined
  const scaled = toAmount * 10n ** BigInt(from.decimals + RATE_DIGITS)
  return formatUnits(scaled / fromAmount, to.decimals + RATE_DIGITS)
}

/** Returns the wei that the swap spends: its fees, and the amount if the native currency is sold. */
export function nativeSpent(swap: SwapState): bigint | undefined {
  const fee = currentQuote(swap)?.networkFee
  if (fee === undefined || !swap.sourceToken) return undefined
  return fee + (isNativeSwapToken(swap.sourceToken) ? (sourceAmount(swap) ?? 0n) : 0n)
}

/**
 * Reads a tolerance in percent, a plain decimal, as hundredths of a percent.
 *
 * @returns undefined for an invalid tolerance: not a number, zero, more than 50 percent, or finer than 0.01.
 */
export function parseSlippage(percent: string): number | undefined {
  try {
    const bps = Number(parseUnits(percent, 2))
    return bps >= 1 && bps <= MAX_SLIPPAGE_BPS ? bps : undefined
  } catch {
    return undefined
  }
}
