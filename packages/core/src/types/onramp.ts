import type { MessageData } from '@hawser/client'
import type {
  Money as MoneyMessage,
  PaymentCurrency as PaymentCurrencyMessage,
  PaymentLimit as PaymentLimitMessage,
} from '@hawser/client/onramp'
import type { CaipAddress } from './network.ts'

/** Decimal text in whole units of a currency (ISO 4217) or a token (its symbol). */
export type Money = MessageData<MoneyMessage>

/** A currency to pay with. */
export type PaymentCurrency = MessageData<PaymentCurrencyMessage>

/** Limits of one purchase by one method; decimal text in whole units. */
export type PaymentLimit = MessageData<PaymentLimitMessage>

/**
 * Initial values of a purchase: a token by its symbol on the active network or by its address on any, and decimal
 * text in whole units of a currency (ISO 4217).
 */
export interface BuyArguments {
  readonly token?: string
  readonly amount?: string
  readonly currency?: string
}

/** A token that can be bought, on one network. */
export interface BuyToken {
  /** Id of the token, the same on all networks. */
  readonly id: string
  readonly name: string
  readonly symbol: string
  /** CAIP-2. */
  readonly chainId: string
  readonly networkName: string
  /** Plain address; empty for the native token. */
  readonly contract: string
}

/** A provider. */
export interface BuySeller {
  /** Id of the provider. */
  readonly id: string
  readonly title: string
  /** Percent of the payment, decimal text; undefined if unknown. */
  readonly fee: { readonly min: string; readonly max: string } | undefined
  readonly websiteUrl: string
  /** Whether it is a sandbox, where no money moves. */
  readonly isSandbox: boolean
}

/** The cost of a purchase. `paymentTotal` is the sum of the subtotal and both fees. */
export interface BuyQuote {
  readonly quoteId: string
  /** Undefined for an estimate without a provider. */
  readonly seller: string | undefined
  readonly title: string
  /** Payment method; undefined if not selected. */
  readonly method: string | undefined
  readonly paymentTotal: Money
  readonly paymentSubtotal: Money
  readonly providerFee: Money
  readonly networkFee: Money
  readonly purchaseAmount: Money
  /** Unix milliseconds; undefined if the provider reports none. */
  readonly expiresAt: number | undefined
  readonly isSandbox: boolean
  /** True when it is the typed amount only, not an offer. */
  readonly isEstimate: boolean
}

/** Why there is no quote. */
export type BuyProblem = 'limit' | 'unsupported' | 'unavailable'

/** Why a checkout was not opened. `unexplained`: for a reason without a name. */
export type BuyRefusal = BuyProblem | 'unexplained'

/** `expired`: not paid in time. `paid`: the money was taken, and the tokens are on their way. */
export type BuyOrderState =
  | 'created'
  | 'expired'
  | 'pending'
  | 'paid'
  | 'cancelled'
  | 'failed'
  | 'completed'
  | 'refunded'

/** Why a purchase failed. `unexplained`: the provider does not say why. */
export type BuyFailure =
  | 'paymentDeclined'
  | 'paymentLate'
  | 'paymentFailed'
  | 'fundsLow'
  | 'paymentUnapproved'
  | 'codeWrong'
  | 'tokensUnsent'
  | 'unexplained'

/** A purchase whose checkout was opened. */
export interface BuyOrder {
  readonly id: string
  readonly seller: string
  readonly title: string
  readonly state: BuyOrderState
  /** Why it failed, in English; empty otherwise. */
  readonly reason: string
  /** Why it failed; undefined for a reason without a name. */
  readonly failure: BuyFailure | undefined
  /** Plain address that the tokens go to. */
  readonly address: string
  /** CAIP-2; empty until selected. */
  readonly chainId: string
  /** The payment; undefined until selected. */
  readonly payment: Money | undefined
  /** What was received or is expected; undefined while unknown. */
  readonly purchase: Money | undefined
  /** Hash of the transaction that paid the tokens out; empty before that. */
  readonly transaction: string
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly isSandbox: boolean
}

/**
 * State of the checkout: being `prepared`, `open` in a window, `blocked` by the browser, `closed` as far as
 * the page can see, or `refused` by the gateway. `elsewhere`: the purchase began before this page was loaded.
 */
export type CheckoutStatus = 'preparing' | 'open' | 'blocked' | 'closed' | 'refused' | 'elsewhere'

/** The purchase that is shown. */
export interface BuyPurchase {
  readonly seller: string
  readonly title: string
  readonly isSandbox: boolean
  /** Payment method; undefined leaves it to the checkout. */
  readonly method: string | undefined
  readonly checkout: CheckoutStatus
  /** Undefined until the gateway has created the order. */
  readonly orderId: string | undefined
  /** URL of the checkout; undefined until known, and for purchases of earlier visits. */
  readonly url: string | undefined
  /** Why it was refused; undefined unless it was. */
  readonly refusal: BuyRefusal | undefined
}

export interface OnrampState {
  /** The account that buys, and its network; another account's orders are dropped. */
  readonly owner: CaipAddress | undefined
  /** Initial values of the next purchase, until it has begun. */
  readonly wanted: BuyArguments
  /** False until the gateway answered what can be bought, or the request failed. */
  readonly isLoaded: boolean
  /** True while the built-in list is used, because the gateway did not answer what can be bought. */
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
  /** The newest quotes, the best first; see `currentBuyQuotes` for whether they match the form. */
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
