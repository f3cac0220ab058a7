import { isSmartAccount } from '../account/account.ts'
import { reportTransfer } from '../modal/transferFlows.ts'
import type { Hawser } from '../types/hawser.ts'
import type { SwapArguments, SwapSide, SwapSlippage, SwapToken } from '../types/swap.ts'
import { toTokenAmount } from './amounts.ts'
import { loadSwapBalances } from './balances.ts'
import { resetSwap } from './draft.ts'
import { isSameSwapToken, loadSwapPrices, otherSide } from './tokens.ts'

/** Resets the swap and opens its view, which loads tokens and quote. */
export function openSwap(hawser: Hawser, swap: SwapArguments = {}): void {
  resetSwap(hawser)
  hawser.events.emit({
    event: 'OPEN_SWAP',
    properties: {
      network: hawser.chain.getState().activeCaipNetwork?.caipNetworkId ?? '',
      isSmartAccount: isSmartAccount(hawser),
    },
  })
  reportTransfer(hawser, { kind: 'swapOpened', swap })
}

/** Selects one of the two tokens. Selecting the token of the other side switches the two. */
export function selectSwapToken(hawser: Hawser, side: SwapSide, token: SwapToken): void {
  const swap = hawser.swap.getState()
  if (isSameSwapToken(swap[otherSide(side)], token)) {
    switchSwapTokens(hawser)
    return
  }
  const isSold = side === 'sourceToken' && !isSameSwapToken(swap.sourceToken, token)
  hawser.swap.setState({
    [side]: token,
    // The amount may have more decimals than the new token.
    ...(isSold && { sourceTokenAmount: '', isMaxAmount: false }),
  })
  void loadSwapPrices(hawser)
  void loadSwapBalances(hawser)
}

/** Switches the two tokens: the output becomes the amount to sell. */
export function switchSwapTokens(hawser: Hawser): void {
  const swap = hawser.swap.getState()
  const { sourceToken, toToken } = swap
  if (!toToken) return
  hawser.swap.setState({
    sourceToken: toToken,
    toToken: sourceToken,
    sourceTokenAmount: toTokenAmount(swap),
    isMaxAmount: false,
    quote: undefined,
  })
}

/** Sets the amount as typed; `swapReadiness` validates it. */
export function setSwapAmount(hawser: Hawser, sourceTokenAmount: string): void {
  hawser.latest.abandon('swap:gas')
  hawser.swap.setState({ sourceTokenAmount: sourceTokenAmount.trim(), isMaxAmount: false })
}

/**
 * Sets the slippage tolerance.
 *
 * @param slippage hundredths of a percent, see `parseSlippage`.
 */
export function setSwapSlippage(hawser: Hawser, slippage: SwapSlippage): void {
  hawser.swap.setState({
    slippage,
    builtPreview: undefined,
    hasPriceMoved: false,
    refusal: undefined,
    unconfirmedBecause: undefined,
  })
}
