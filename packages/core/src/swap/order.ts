import { isSmartAccount } from '../account/account.ts'
import { type AccountOwner, activeOwner } from '../account/owner.ts'
import { formatUnits } from '../amounts/units.ts'
import { thrown } from '../errors/thrown.ts'
import type { SwapProperties } from '../types/events.ts'
import type { ConnectedSession, Hawser } from '../types/hawser.ts'
import type { SwapQuote, SwapToken } from '../types/swap.ts'
import { currentQuote, minimumReceived, slippageBps } from './amounts.ts'
import { swapReadiness } from './readiness.ts'

/** The swap is not ready, or another one is in progress. */
export class SwapError extends Error {
  override readonly name = 'SwapError'
}

/** A swap that the visitor confirmed. */
export interface SwapOrder {
  readonly session: ConnectedSession
  readonly owner: AccountOwner
  readonly quote: SwapQuote
  readonly sourceToken: SwapToken
  readonly toToken: SwapToken
  readonly isAtomic: boolean
  readonly slippageBps: number
  /** The minimum output that was shown, in base units of the bought token. */
  readonly minimum: bigint
  readonly properties: SwapProperties
}

/**
 * Places the order of the swap that the visitor confirmed.
 *
 * @throws SwapError
 */
export function placeSwapOrder(hawser: Hawser): SwapOrder {
  const swap = hawser.swap.getState()
  const owner = activeOwner(hawser)
  const session = owner && hawser.sessions.get(owner.network.chainNamespace)
  if (!session) throw new SwapError(thrown.connectionClientNotSet)
  if (swap.status === 'working') throw new SwapError('A swap is already open in the wallet')

  const isSmart = isSmartAccount(hawser)
  const readiness = swapReadiness(swap, hawser.chain.getState(), { isSmartAccount: isSmart })
  const quote = currentQuote(swap)
  const { sourceToken, toToken } = swap
  const isOwn = swap.owner === owner.caipAddress
  if (readiness !== 'ready' || !quote || !sourceToken || !toToken || !isOwn) {
    throw new SwapError(`The swap is not ready: ${readiness}`)
  }
  const tolerance = slippageBps(swap.slippage, quote)
  return {
    session,
    owner,
    quote,
    sourceToken,
    toToken,
    isAtomic: swap.isAtomic === true,
    slippageBps: tolerance,
    minimum: minimumReceived(quote, tolerance),
    properties: {
      isSmartAccount: isSmart,
      network: owner.network.caipNetworkId,
      swapFromToken: sourceToken.symbol,
      swapToToken: toToken.symbol,
      swapFromAmount: formatUnits(quote.fromAmount, sourceToken.decimals),
      swapToAmount: formatUnits(quote.toAmount, toToken.decimals),
    },
  }
}

/** Returns the parameters of requests to the gateway about the quote of an order. */
export function chosenQuote({ quote, owner }: Pick<SwapOrder, 'quote' | 'owner'>) {
  return {
    amount: quote.fromAmount.toString(),
    from: quote.from,
    to: quote.to,
    userAddress: owner.caipAddress,
    quoteId: quote.id,
  }
}
