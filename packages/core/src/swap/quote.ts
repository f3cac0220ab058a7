import { type MessageData, messageData } from '@hawser/client'
import type { Quote } from '@hawser/client/convert'
import { QUOTE_LIFETIME_MS, QUOTE_REFRESH_MS } from '../constants.ts'
import { convertClient, quotesClient } from '../gateway/clients.ts'
import type { Hawser } from '../types/hawser.ts'
import type { SwapProblem, SwapQuote, SwapState } from '../types/swap.ts'
import { currentQuote, slippageBps, sourceAmount } from './amounts.ts'
import { followMaxSwapAmount } from './max.ts'
import { problemOf, problemOfCode } from './problems.ts'
import { isSameSwapToken } from './tokens.ts'

/**
 * Asks what the swap pays now; an answer to an older question is not heard. Afterwards the gateway pushes what changes,
 * or is asked again every 10 seconds. Never throws: the state says why there is no quote.
 */
export async function requestQuote(hawser: Hawser): Promise<void> {
  if (hawser.swap.getState().status !== 'draft') return
  const { isCurrent, signal } = hawser.latest.begin('swap:quote')
  hawser.timers.cancel('swap:poll')
  const question = quoteQuestion(hawser.swap.getState())
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

/** Hears quotes as blocks come. Without a stream, as with a gateway that has none, the asking goes on. */
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
    // What a stream does not bring is asked for.
  }
  if (!isCurrent()) return
  hawser.swap.setState({ isLive: false })
  hawser.timers.set('swap:poll', QUOTE_REFRESH_MS, () => void requestQuote(hawser))
}

/** A swap to be quoted, in the fields of `hawser.convert.v1.ListQuotesRequest`. Tokens are CAIP-10, amounts decimal text in base units. */
export interface QuoteQuestion {
  readonly amount: string
  readonly from: string
  readonly to: string
  /** CAIP-10 of the account that swaps; the quote is simulated for it. */
  readonly userAddress: string
  /** The page approves the spender that the quote names, whichever it is. */
  readonly spender: 'any'
  /** Hundredths of a percent. */
  readonly slippageBps: number
  /** Whether the account carries out several calls at once or not at all (EIP-5792). */
  readonly batch?: boolean
}

/** What the gateway is asked; undefined while there is nothing to ask. */
export function quoteQuestion(swap: SwapState): QuoteQuestion | undefined {
  const { sourceToken, toToken, owner, slippage, isAtomic } = swap
  const amount = sourceAmount(swap)
  if (!sourceToken || !toToken || !owner || !amount || isSameSwapToken(sourceToken, toToken)) return undefined
  return {
    amount: amount.toString(),
    from: sourceToken.address,
    to: toToken.address,
    userAddress: owner,
    spender: 'any',
    slippageBps: slippageBps(slippage, currentQuote(swap)),
    ...(isAtomic && { batch: true }),
  }
}

/** Shows a quote that is for what is typed now; any other is not. */
function takeQuote(hawser: Hawser, answer: MessageData<Quote>): void {
  const quote = readQuote(answer)
  if (!currentQuote({ ...hawser.swap.getState(), quote })) return
  hawser.swap.setState({ quote, problem: undefined })
  keepQuote(hawser)
  followMaxSwapAmount(hawser)
}

/** The quote that is shown holds on, at a newer block perhaps. One that nobody confirms for half a minute says nothing any more. */
function keepQuote(hawser: Hawser, block?: bigint): void {
  hawser.swap.setState(({ quote }) => ({
    isQuoting: false,
    isExpired: false,
    quote: quote?.block && block && block > quote.block ? { ...quote, block } : quote,
  }))
  hawser.timers.set('swap:expiry', QUOTE_LIFETIME_MS, () => hawser.swap.setState({ isExpired: true }))
}

/** A gateway that is away for a moment does not take back what it said: that expires by itself. */
function takeProblem(hawser: Hawser, problem: SwapProblem): void {
  const isKept = problem === 'unavailable' && currentQuote(hawser.swap.getState()) !== undefined
  if (isKept) hawser.swap.setState({ isQuoting: false })
  else hawser.swap.setState({ quote: undefined, isQuoting: false, problem })
}

/** Reads a quote of the gateway. @throws SyntaxError when an amount is none. */
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
    unconfirmedBecause: quote.unconfirmedBecause,
    route: quote.route,
    calls: quote.calls,
    offers: quote.offers,
  }
}
