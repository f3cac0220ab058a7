import { GatewayError, type MessageData, messageData } from '@hawser/client'
import type { SellerQuote } from '@hawser/client/onramp'
import { BUY_QUOTE_REFRESH_MS } from '../constants.ts'
import { onrampClient } from '../gateway/clients.ts'
import { plainAddress } from '../swap/tokens.ts'
import type { Hawser } from '../types/hawser.ts'
import type { BuyProblem, BuyProblemKind, BuyQuote, Money, OnrampState } from '../types/onramp.ts'
import { buyReadiness, compareDecimals } from './amount.ts'
import { MOCKED_QUOTE_ID } from './defaults.ts'
import { type Place, placeOf } from './place.ts'

/** What the gateway's reasons mean to the visitor; every other one means that nobody could be asked. */
const problems: Readonly<Record<string, BuyProblemKind>> = {
  ONRAMP_LIMIT: 'limit',
  ONRAMP_UNSUPPORTED: 'unsupported',
}

/** The quotes, if they are for what is typed now. */
export function currentBuyQuotes(state: OnrampState): readonly BuyQuote[] {
  return state.quotesFor !== undefined && state.quotesFor === questionKey(state) ? state.quotes : []
}

/** What is asked for, as one text; undefined while nothing can be asked. */
export function questionKey(state: OnrampState): string | undefined {
  if (buyReadiness(state) !== 'ready') return undefined
  const { token, currency, amount, method, owner } = state
  return [token?.id, token?.chainId, currency?.id, amount, method, owner].join('|')
}

/**
 * Asks all sellers what the purchase costs; an answer to an older question is not heard. Afterwards they are asked
 * again every 15 seconds. Never throws: the state says why there is no quote.
 */
export async function requestBuyQuotes(hawser: Hawser): Promise<void> {
  const { isCurrent, signal } = hawser.latest.begin('onramp:quotes')
  hawser.timers.cancel('onramp:quotes')
  const state = hawser.onramp.getState()
  const quotesFor = questionKey(state)
  const question = purchaseQuestion(hawser)
  if (!quotesFor || !question) {
    hawser.onramp.setState({ isQuoting: false, problem: undefined })
    return
  }
  hawser.onramp.setState({ isQuoting: true })
  try {
    const answers = await (await onrampClient(hawser)).listQuotes(purchaseRequest(question), { signal })
    if (!isCurrent()) return
    const quotes = bestOfEach(messageData(answers.quotes).flatMap(readQuote))
    const problem = quotes.length > 0 ? undefined : { kind: 'unsupported' as const, reason: undefined }
    hawser.onramp.setState({ quotes, quotesFor, isQuoting: false, problem })
  } catch (error) {
    if (!isCurrent()) return
    takeProblem(hawser, quotesFor, problemOf(error))
  }
  hawser.timers.set('onramp:quotes', BUY_QUOTE_REFRESH_MS, () => void requestBuyQuotes(hawser))
}

/** A purchase that the visitor has filled in. */
interface PurchaseQuestion extends Place {
  /** Symbol of the token. */
  readonly token: string
  /** Network of the token, CAIP-2. */
  readonly chainId: string
  /** What is paid in all: decimal text in whole units. */
  readonly amount: string
  /** ISO 4217. */
  readonly currency: string
  /** How it is paid; any way when absent. */
  readonly method?: string
  /** Plain address that the tokens go to. */
  readonly address: string
}

/** Returns a purchase in the fields that requests for quotes and for an order share. */
export function purchaseRequest({
  token,
  chainId,
  amount,
  currency,
  method,
  country,
  subdivision,
  address,
}: PurchaseQuestion) {
  return {
    destinationCurrencyCode: token,
    chainId,
    // Text, so that no cent is lost.
    sourceAmount: { kind: { case: 'stringValue' as const, value: amount } },
    sourceCurrencyCode: currency,
    walletAddress: address,
    ...(method && { paymentMethodType: method }),
    ...(country && { countryCode: country }),
    ...(subdivision && { subdivision }),
  }
}

/** The purchase that is thought of; undefined while nobody is connected, or something is missing. */
export function purchaseQuestion(hawser: Hawser): PurchaseQuestion | undefined {
  const { owner, token, currency, amount, method } = hawser.onramp.getState()
  if (!owner || !token || !currency) return undefined
  return {
    ...placeOf(hawser.options.getState()),
    token: token.symbol,
    chainId: token.chainId,
    amount,
    currency: currency.id,
    address: plainAddress(owner),
    ...(method && { method }),
  }
}

/** Where nobody could be asked, what was typed stands in, and says so: it is no price. */
function takeProblem(hawser: Hawser, quotesFor: string, problem: BuyProblem): void {
  const state = hawser.onramp.getState()
  const isKept =
    problem.kind === 'unavailable' && currentBuyQuotes(state).some(({ isEstimate }) => !isEstimate)
  if (isKept) {
    // A gateway that is away for a moment does not take back what it said.
    hawser.onramp.setState({ isQuoting: false, problem })
    return
  }
  const quotes = problem.kind === 'unavailable' ? [estimate(state)] : []
  hawser.onramp.setState({ quotes, quotesFor, isQuoting: false, problem })
}

function estimate({ amount, currency, method }: OnrampState): BuyQuote {
  const money: Money = { amount, currency: currency?.id ?? '' }
  return {
    quoteId: MOCKED_QUOTE_ID,
    seller: undefined,
    title: '',
    method,
    paymentTotal: money,
    paymentSubtotal: money,
    providerFee: money,
    networkFee: money,
    purchaseAmount: money,
    expiresAt: undefined,
    isSandbox: false,
    isEstimate: true,
  }
}

function problemOf(error: unknown): BuyProblem {
  const kind = (error instanceof GatewayError && problems[error.reason ?? '']) || 'unavailable'
  const reason = error instanceof GatewayError ? error.text : undefined
  return { kind, reason: reason || undefined }
}

/** A quote without exact amounts is none. */
function readQuote({
  serviceProvider,
  paymentMethodType,
  exact,
}: MessageData<SellerQuote>): readonly BuyQuote[] {
  if (!serviceProvider || !exact) return []
  const {
    title,
    expiresAt,
    sandbox,
    paymentTotal,
    paymentSubtotal,
    providerFee,
    networkFee,
    purchaseAmount,
  } = exact
  if (!isMoney(paymentTotal) || !isMoney(paymentSubtotal) || !isMoney(providerFee)) return []
  if (!isMoney(networkFee) || !isMoney(purchaseAmount)) return []
  const expiry = Date.parse(expiresAt)
  return [
    {
      paymentTotal,
      paymentSubtotal,
      providerFee,
      networkFee,
      purchaseAmount,
      quoteId: [serviceProvider, paymentMethodType].join('|'),
      seller: serviceProvider,
      title: title || serviceProvider,
      method: paymentMethodType || undefined,
      expiresAt: Number.isNaN(expiry) ? undefined : expiry,
      isSandbox: sandbox,
      isEstimate: false,
    },
  ]
}

/** Whether a text is decimal, and so can be shown and counted. */
export function isMoney(money: Money | undefined): money is Money {
  return /^\d+(\.\d+)?$/.test(money?.amount ?? '')
}

/** A seller may have a quote for each way to pay: its best one counts. */
function bestOfEach(quotes: readonly BuyQuote[]): readonly BuyQuote[] {
  const sorted = [...quotes].sort(bestFirst)
  return sorted.filter(({ seller }, index) => sorted.findIndex((other) => other.seller === seller) === index)
}

function bestFirst(a: BuyQuote, b: BuyQuote): number {
  return compareDecimals(b.purchaseAmount.amount, a.purchaseAmount.amount)
}
