import { GatewayError, type MessageData, messageData } from '@hawser/client'
import type { SellerQuote } from '@hawser/client/onramp'
import { plainAddress } from '../address/plainAddress.ts'
import { onrampClient } from '../gateway/clients.ts'
import { BUY_QUOTE_REFRESH_MS } from '../limits.ts'
import type { Hawser } from '../types/hawser.ts'
import type { BuyProblem, BuyQuote, Money, OnrampState } from '../types/onramp.ts'
import { buyReadiness, compareDecimals } from './amount.ts'
import { MOCKED_QUOTE_ID } from './defaults.ts'
import { type Region, regionOf } from './region.ts'

/** Problems by the gateway's reason. */
const problems: Readonly<Record<string, BuyProblem>> = {
  ONRAMP_LIMIT: 'limit',
  ONRAMP_UNSUPPORTED: 'unsupported',
  ONRAMP_UNAVAILABLE: 'unavailable',
}

/** Returns the quotes if they are for the current form. */
export function currentBuyQuotes(state: OnrampState): readonly BuyQuote[] {
  return state.quotesFor !== undefined && state.quotesFor === quoteKey(state) ? state.quotes : []
}

/** Returns the form as one key; undefined while it is incomplete. */
export function quoteKey(state: OnrampState): string | undefined {
  if (buyReadiness(state) !== 'ready') return undefined
  const { token, currency, amount, method, owner } = state
  return [token?.id, token?.chainId, currency?.id, amount, method, owner].join('|')
}

/**
 * Requests quotes from all providers, and again every 15 seconds. A response to an older request is dropped. Never
 * throws: the state says why there is no quote.
 */
export async function requestBuyQuotes(hawser: Hawser): Promise<void> {
  const { isCurrent, signal } = hawser.latest.begin('onramp:quotes')
  hawser.timers.cancel('onramp:quotes')
  const state = hawser.onramp.getState()
  const quotesFor = quoteKey(state)
  const terms = purchaseTerms(hawser)
  if (!quotesFor || !terms) {
    hawser.onramp.setState({ isQuoting: false, problem: undefined })
    return
  }
  hawser.onramp.setState({ isQuoting: true })
  try {
    const answers = await (await onrampClient(hawser)).listQuotes(purchaseRequest(terms), { signal })
    if (!isCurrent()) return
    const quotes = bestOfEach(messageData(answers.quotes).flatMap(readQuote))
    const problem = quotes.length > 0 ? undefined : 'unsupported'
    hawser.onramp.setState({ quotes, quotesFor, isQuoting: false, problem })
  } catch (error) {
    if (!isCurrent()) return
    takeProblem(hawser, quotesFor, buyProblemOf(error) ?? 'unavailable')
  }
  hawser.timers.set('onramp:quotes', BUY_QUOTE_REFRESH_MS, () => void requestBuyQuotes(hawser))
}

/** A completed form. */
interface PurchaseTerms extends Region {
  /** Symbol of the token. */
  readonly token: string
  /** Network of the token, CAIP-2. */
  readonly chainId: string
  /** The total payment: decimal text in whole units. */
  readonly amount: string
  /** ISO 4217. */
  readonly currency: string
  /** How it is paid; any way when absent. */
  readonly method?: string
  /** Plain address that receives the tokens. */
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
}: PurchaseTerms) {
  return {
    destinationCurrencyCode: token,
    chainId,
    // Text keeps the amount exact.
    sourceAmount: { kind: { case: 'stringValue' as const, value: amount } },
    sourceCurrencyCode: currency,
    walletAddress: address,
    ...(method && { paymentMethodType: method }),
    ...(country && { countryCode: country }),
    ...(subdivision && { subdivision }),
  }
}

/** Returns the completed form; undefined while no account is connected or something is missing. */
export function purchaseTerms(hawser: Hawser): PurchaseTerms | undefined {
  const { owner, token, currency, amount, method } = hawser.onramp.getState()
  if (!owner || !token || !currency) return undefined
  return {
    ...regionOf(hawser.options.getState()),
    token: token.symbol,
    chainId: token.chainId,
    amount,
    currency: currency.id,
    address: plainAddress(owner),
    ...(method && { method }),
  }
}

/** Stores why there is no quote. If quotes could not be requested, an estimate is shown that is labelled as one. */
function takeProblem(hawser: Hawser, quotesFor: string, problem: BuyProblem): void {
  const state = hawser.onramp.getState()
  const isKept = problem === 'unavailable' && currentBuyQuotes(state).some(({ isEstimate }) => !isEstimate)
  if (isKept) {
    // A short outage does not remove the last quotes.
    hawser.onramp.setState({ isQuoting: false, problem })
    return
  }
  const quotes = problem === 'unavailable' ? [estimate(state)] : []
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

/** Returns what the gateway refused a purchase for; undefined for a failure that is not about buying. */
export function buyProblemOf(error: unknown): BuyProblem | undefined {
  if (!(error instanceof GatewayError)) return undefined
  return problems[error.reason ?? ''] ?? (error.code === 'invalid_argument' ? 'unsupported' : undefined)
}

/** Drops quotes without exact amounts. */
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

/** Reports whether an amount is valid decimal text. */
export function isMoney(money: Money | undefined): money is Money {
  return /^\d+(\.\d+)?$/.test(money?.amount ?? '')
}

/** Keeps the best quote of each provider. */
function bestOfEach(quotes: readonly BuyQuote[]): readonly BuyQuote[] {
  const sorted = [...quotes].sort(bestFirst)
  return sorted.filter(({ seller }, index) => sorted.findIndex((other) => other.seller === seller) === index)
}

function bestFirst(a: BuyQuote, b: BuyQuote): number {
  return compareDecimals(b.purchaseAmount.amount, a.purchaseAmount.amount)
}
