import { type MessageData, messageData } from '@hawser/client'
import type { Quote } from '@hawser/client/convert'
import { convertClient, quotesClient } from '../gateway/clients.ts'
import { QUOTE_LIFETIME_MS, QUOTE_REFRESH_MS } from '../limits.ts'
import type { Hawser } from '../types/hawser.ts'
import type { SwapProblem, SwapQuote, SwapState } from '../types/swap.ts'
import { currentQuote, slippageBps, sourceAmount } from './amounts.ts'
import { followMaxSwapAmount } from './max.ts'
import { problemOf, problemOfCode } from './problems.ts'
import { isSameSwapToken } from './tokens.ts'
import { unconfirmedBecause } from './unconfirmed.ts'
import { hasUniversalRouter } from './verify/contracts.ts'

/**
 * Requests a quote, and cancels the request before it. Afterwards the gateway streams changes, or a new quote is requested every 10 seconds. Never throws:
 * the state holds the reason if there is no quote.
 */
export async function requestQuote(hawser: Hawser): Promise<void> {
  if (hawser.swap.getState().status !== 'draft') return
  const { isCurrent, signal } = hawser.latest.begin('swap:quote')
  hawser.timers.cancel('swap:poll')
  const question = quoteQuestion(hawser.swap.getState(), acceptedSpender(hawser))
  if (!question) {
    hawser.swap.setState({ quote: undefined, isQuoting: false, isLive: false, problem: undefined })
    return
  }
  hawser.swap.setState({ isQuoting: true, isLive: false })
  try {
    const { quotes } = await (await convertClient(hawser)).listQuotes(question, { signal })
    if (!isCurrent()) return
    const [quote] = quotes
    if (quote) takeQuote(hawser, messageData(quote))
    else takeProblem(hawser, 'noRoute')
  } catch (error) {
    if (!isCurrent()) return
    takeProblem(hawser, problemOf(error))
  }
  hawser.timers.set('swap:poll', QUOTE_REFRESH_MS, () => void requestQuote(hawser))
  if (hawser.swap.getState().problem !== 'unavailable') await follow(hawser, question, signal, isCurrent)
}

/** Subscribes to the stream of quotes. If the stream fails, quotes are requested every 10 seconds instead. */
async function follow(
  hawser: Hawser,
  question: QuoteQuestion,
  signal: AbortSignal,
  isCurrent: () => boolean,
): Promise<void> {
  try {
    const stream = (await quotesClient(hawser)).watchQuote({ swap: question }, { signal })
    for await (const { block, change } of stream) {
      if (!isCurrent()) return
      hawser.timers.cancel('swap:poll')
      hawser.swap.setState({ isLive: true })
      if (change.case === 'quote') takeQuote(hawser, messageData(change.value))
      else if (change.case === 'absence') takeProblem(hawser, problemOfCode(change.value.code))
      else keepQuote(hawser, block)
    }
  } catch {
    // The timer below requests the next quote.
  }
  if (!isCurrent()) return
  hawser.swap.setState({ isLive: false })
  hawser.timers.set('swap:poll', QUOTE_REFRESH_MS, () => void requestQuote(hawser))
}

/** A swap to be quoted, in the fields of `hawser.convert.v1.ListQuotesRequest`. Tokens are CAIP-10, amounts decimal text in base units. */
interface QuoteQuestion {
  readonly amount: string
  readonly from: string
  readonly to: string
  /** CAIP-10 of the account that swaps; the quote is simulated for it. */
  readonly userAddress: string
  /**
   * The page approves whichever spender the quote names. If that is Permit2, the account has to sign as well.
   */
  readonly spender: AcceptedSpender
  /** Basis points. */
  readonly slippageBps: number
  /** Whether the account makes several calls atomically (EIP-5792). */
  readonly batch?: boolean
}

/** `permit2`: the account also signs if the spender of the quote is Permit2. */
type AcceptedSpender = 'any' | 'permit2'

/** How often a wallet may decline to sign for Permit2 before quotes avoid it. */
export const PERMIT2_DECLINES = 2

/** Reports whether the account signs for Permit2, as far as is known: batches need no signature. */
export function signsForPermit2({ isAtomic, permit2Declines }: SwapState): boolean {
  return !isAtomic && permit2Declines < PERMIT2_DECLINES
}

function acceptedSpender(hawser: Hawser): AcceptedSpender {
  const network = hawser.chain.getState().activeCaipNetwork
  const canSell = network !== undefined && hasUniversalRouter(hawser, network.caipNetworkId)
  return canSell && signsForPermit2(hawser.swap.getState()) ? 'permit2' : 'any'
}

/** Lets the next quotes of the swap avoid Permit2. */
export function avoidPermit2(hawser: Hawser): void {
  hawser.swap.setState({ permit2Declines: PERMIT2_DECLINES })
}

/** Returns the parameters of a request for a quote; undefined if the swap is incomplete. */
function quoteQuestion(swap: SwapState, accepted: AcceptedSpender): QuoteQuestion | undefined {
  const { sourceToken, toToken, owner, slippage, isAtomic } = swap
  const amount = sourceAmount(swap)
  if (!sourceToken || !toToken || !owner || !amount || isSameSwapToken(sourceToken, toToken)) return undefined
  return {
    amount: amount.toString(),
    from: sourceToken.address,
    to: toToken.address,
    userAddress: owner,
    spender: accepted,
    slippageBps: slippageBps(slippage, currentQuote(swap)),
    ...(isAtomic && { batch: true }),
  }
}

/** Stores a quote if it is for the current input. */
function takeQuote(hawser: Hawser, answer: MessageData<Quote>): void {
  const quote = readQuote(answer)
  if (!currentQuote({ ...hawser.swap.getState(), quote })) return
  hawser.swap.setState({ quote, problem: undefined })
  keepQuote(hawser)
  followMaxSwapAmount(hawser)
}

/** Extends the lifetime of the current quote, perhaps at a newer block. It expires after half a minute. */
function keepQuote(hawser: Hawser, block?: bigint): void {
  hawser.swap.setState(({ quote }) => ({
    isQuoting: false,
    isExpired: false,
    quote: quote?.block && block && block > quote.block ? { ...quote, block } : quote,
  }))
  hawser.timers.set('swap:expiry', QUOTE_LIFETIME_MS, () => hawser.swap.setState({ isExpired: true }))
}

/** Stores the reason why there is no quote. An outage of the gateway keeps the current quote until it expires. */
function takeProblem(hawser: Hawser, problem: SwapProblem): void {
  const isKept = problem === 'unavailable' && currentQuote(hawser.swap.getState()) !== undefined
  if (isKept) hawser.swap.setState({ isQuoting: false })
  else hawser.swap.setState({ quote: undefined, isQuoting: false, problem })
}

/** Converts a quote of the gateway. @throws SyntaxError for a malformed amount. */
export function readQuote(quote: MessageData<Quote>): SwapQuote {
  const networkFee = BigInt(quote.networkFee || 0)
  return {
    id: quote.id,
    from: quote.fromAccount,
    to: quote.toAccount,
    fromAmount: BigInt(quote.fromAmount),
    toAmount: BigInt(quote.toAmount),
    source: quote.source,
    block: quote.block > 0n ? quote.block : undefined,
    boundBps: quote.boundBps,
    routerBoundBps: quote.routerBoundBps,
    priceImpact: quote.priceImpact,
    networkFee: networkFee > 0n ? networkFee : undefined,
    providerFee: BigInt(quote.providerFee || 0),
    spender: quote.spender || undefined,
    isConfirmed: quote.confirmed,
    unconfirmedBecause: unconfirmedBecause(quote),
    route: quote.route,
    calls: quote.calls,
    offers: quote.offers,
  }
}
