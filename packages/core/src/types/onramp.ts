import type { MessageData } from '@hawser/client'
import type {
  Money as MoneyMessage,
  PaymentCurrency as PaymentCurrencyMessage,
  PaymentLimit as PaymentLimitMessage,
} from '@hawser/client/onramp'
import type { CaipAddress } from './network.ts'

/** Decimal text in whole units of a currency (ISO 4217) or a token (its symbol). */
export type Money = MessageData<MoneyMessage>

/** Money that can be paid with. */
export type PaymentCurrency = MessageData<PaymentCurrencyMessage>

/** Bounds one purchase by one method; decimal text in whole units. */
export type PaymentLimit = MessageData<PaymentLimitMessage>

/**
 * What a purchase was opened with: a token by its symbol on the active network or by its address on any, and decimal text
 * in whole units of a currency (ISO 4217).
 */
export interface BuyArguments {
  readonly token?: string
  readonly amount?: string
  readonly currency?: string
}

/** A token that can be bought, on one network. */
export interface BuyToken {
  /** Of the token, whatever its network. */
  readonly id: string
  readonly name: string
  readonly symbol: string
  /** CAIP-2. */
  readonly chainId: string
  readonly networkName: string
  /** Plain address; empty for the network's own currency. */
  readonly contract: string
}

/** Who sells tokens for money. */
export interface BuySeller {
  /** Name for calls. */
  readonly id: string
  readonly title: string
  /** Percent of what is paid, decimal text; undefined when it does not say. */
  readonly fee: { readonly min: string; readonly max: string } | undefined
  readonly websiteUrl: string
  /** Whether no money moves. */
  readonly isSandbox: boolean
}

/** What a purchase costs. `paymentTotal` is the sum of the subtotal and both fees. */
export interface BuyQuote {
  readonly quoteId: string
  /** Undefined where no seller was asked: an estimate. */
  readonly seller: string | undefined
  readonly title: string
  /** How it is paid; undefined when it is left open. */
  readonly method: string | undefined
  readonly paymentTotal: Money
  readonly paymentSubtotal: Money
  readonly providerFee: Money
  readonly networkFee: Money
  readonly purchaseAmount: Money
  /** Unix milliseconds; undefined when the seller does not say. */
  readonly expiresAt: number | undefined
  readonly isSandbox: boolean
  /** True when no seller said so: it is what was typed, no more. */
  readonly isEstimate: boolean
}

export type BuyProblemKind = 'limit' | 'unsupported' | 'unavailable'

/** Why no seller has a quote. */
export interface BuyProblem {
  readonly kind: BuyProblemKind
  /** What the gateway gives as the reason; undefined when it gives none. */
  readonly reason: string | undefined
}

/** `expired`: nobody paid in time. `paid`: the money was taken, and the tokens are on their way. */
export type BuyOrderState =
  | 'created'
  | 'expired'
  | 'pending'
  | 'paid'
  | 'cancelled'
  | 'failed'
  | 'completed'
  | 'refunded'

/** A purchase that a seller's page was opened for. */
export interface BuyOrder {
  readonly id: string
  readonly seller: string
  readonly title: string
  readonly state: BuyOrderState
  /** Why it failed; empty otherwise. */
  readonly reason: string
  /** Plain address that the tokens go to. */
  readonly address: string
  /** CAIP-2; empty while nobody decided. */
  readonly chainId: string
  /** What is paid; undefined while nobody decided. */
  readonly payment: Money | undefined
  /** What was received, or is expected; undefined while nobody knows. */
  readonly purchase: Money | undefined
  /** Hash of the transaction that sent the tokens; empty until they were. */
  readonly transaction: string
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly isSandbox: boolean
}

/**
 * Where the visitor pays: the place is being `prepared`, `open` in a window of its own, `blocked` by the browser,
 * `closed` as far as the page can see, or `refused` by the gateway. `elsewhere` is a purchase that was begun before
 * this page was loaded.
 */
export type CheckoutStatus = 'preparing' | 'open' | 'blocked' | 'closed' | 'refused' | 'elsewhere'

/** The purchase that is shown. */
export interface BuyPurchase {
  readonly seller: string
  readonly title: string
  readonly isSandbox: boolean
  /** How it is paid; undefined leaves it to the visitor. */
  readonly method: string | undefined
  readonly checkout: CheckoutStatus
  /** Undefined until the gateway has placed the order. */
  readonly orderId: string | undefined
  /** Where it is paid; undefined until it is known, and for purchases of earlier visits. */
  readonly url: string | undefined
  /** Why the gateway refused it. */
  readonly reason: string | undefined
}

export interface OnrampState {
  /** Who buys, and on which network; another account's orders are dropped. */
  readonly owner: CaipAddress | undefined
  /** What the next purchase begins with, until it has begun. */
  readonly wanted: BuyArguments
  /** False until the gateway said what can be bought, or failed to. */
  readonly isLoaded: boolean
  /** True while what can be bought is the built-in list, because the gateway did not say. */
  readonly isDefault: boolean
  /** Each token on each network of the active namespace, those of the active network first. */
  readonly tokens: readonly BuyToken[]
  readonly currencies: readonly PaymentCurrency[]
  readonly sellers: readonly BuySeller[]
  /** Undefined where the active network has none, until the visitor chooses one. */
  readonly token: BuyToken | undefined
  readonly currency: PaymentCurrency | undefined
  /** What the visitor typed: decimal text in whole units of the currency. */
  readonly amount: string
  /** How it is paid; undefined for any way. */
  readonly method: string | undefined
  /** The newest quotes, the best first; see `currentBuyQuotes` for whether they are for what is typed now. */
  readonly quotes: readonly BuyQuote[]
  /** What the quotes are for. */
  readonly quotesFor: string | undefined
  readonly isQuoting: boolean
  readonly problem: BuyProblem | undefined
  readonly purchase: BuyPurchase | undefined
  /** Orders of the owner, the newest first. */
  readonly orders: readonly BuyOrder[]
  /** Which page of the orders is being read. */
  readonly readingOrders: 'newest' | 'older' | undefined
  /** False until the first page of the orders was read. */
  readonly hasOrders: boolean
  readonly haveOrdersFailed: boolean
  /** Cursor of the next older page; undefined when there is none. */
  readonly nextOrders: string | undefined
}
