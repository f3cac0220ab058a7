/** What can be bought and with what, over all sellers. */
export interface OnrampOptions {
  /** The usual one first. */
  readonly purchaseCurrencies: readonly PurchaseCurrency[]
  /** The usual one first. */
  readonly paymentCurrencies: readonly PaymentCurrency[]
}

/** A token that can be bought. */
export interface PurchaseCurrency {
  readonly id: string
  readonly name: string
  readonly symbol: string
  /** Where it can be sent. */
  readonly networks: readonly PurchaseNetwork[]
}

export interface PurchaseNetwork {
  /** A seller's own name of it, such as `ethereum-mainnet`. */
  readonly name: string
  readonly display_name: string
  /** Reference of the CAIP-2 id. */
  readonly chain_id: string
  /** Empty for the chain's own currency. */
  readonly contract_address: string
  /** CAIP-2; absent from gateways that sell on EVM chains alone. */
  readonly caip2?: string
}

export interface PaymentCurrency {
  /** ISO 4217. */
  readonly id: string
  readonly payment_method_limits: readonly PaymentLimit[]
}

/** Bounds one purchase by one method; decimal text in whole units. */
export interface PaymentLimit {
  readonly id: string
  readonly min: string
  readonly max: string
}

/** Decimal text in whole units of a currency (ISO 4217) or a token (its symbol). */
export interface Money {
  readonly amount: string
  readonly currency: string
}

/** Who sells tokens for money. */
export interface Seller {
  /** For people. */
  readonly name: string
  /** For calls. */
  readonly serviceProvider: string
  readonly websiteUrl: string
  /** Of CAIP-2; absent when the seller does not say. */
  readonly namespaces?: readonly string[]
  /** Percent of what is paid, decimal text. */
  readonly feePercent?: { readonly min: string; readonly max: string } | null
  /** Whether no money moves. */
  readonly sandbox?: boolean
}

/** What a purchase costs at one seller; `exact` has it in decimal text. */
export interface SellerQuote {
  readonly serviceProvider: string | null
  readonly paymentMethodType: string | null
  readonly exact?: ExactQuote | null
}

export interface ExactQuote {
  /** Name of the seller for people. */
  readonly title: string
  /** CAIP-2. */
  readonly chainId: string
  /** What is paid in all: the sum of the next three. */
  readonly paymentTotal: Money
  readonly paymentSubtotal: Money
  readonly providerFee: Money
  readonly networkFee: Money
  /** What is received, in the token. */
  readonly purchaseAmount: Money
  /** RFC 3339; empty when the seller does not say. */
  readonly expiresAt: string
  readonly sandbox: boolean
}

/** How far an order has come, as the gateway spells it. */
export type OrderStateName = `ORDER_STATE_${
  | 'CREATED'
  | 'EXPIRED'
  | 'PENDING'
  | 'PAID'
  | 'CANCELLED'
  | 'FAILED'
  | 'COMPLETED'
  | 'REFUNDED'}`

/** A purchase that somebody opened a seller's page for. */
export interface Order {
  /** Sorts by when it was placed. */
  readonly id: string
  readonly serviceProvider: string
  /** Name of the seller for people. */
  readonly title: string
  readonly state: OrderStateName
  /** Why it failed, for people; empty otherwise. */
  readonly reason: string
  /** Plain address that the tokens go to. */
  readonly walletAddress: string
  /** CAIP-2; empty while nobody decided. */
  readonly chainId: string
  /** What is paid; null while nobody decided. */
  readonly payment: Money | null
  /** What was received, or is expected; null while nobody knows. */
  readonly purchase: Money | null
  /** Hash of the transaction that sent the tokens; empty until they were. */
  readonly transaction: string
  /** RFC 3339. */
  readonly createdAt: string
  readonly updatedAt: string
  /** Whether no money moved. */
  readonly sandbox: boolean
}

export interface OrderPage {
  /** The newest first. */
  readonly orders: readonly Order[]
  /** Cursor of the next page; null on the last. */
  readonly next: string | null
}
