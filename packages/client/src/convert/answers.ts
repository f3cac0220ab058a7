/** A token that can be swapped. */
export interface ConversionToken {
  readonly name: string
  readonly symbol: string
  /** CAIP-10; `0xeeee…eeee` for the chain's own currency (EIP-7528). */
  readonly address: string
  readonly decimals: number
  readonly logoUri: string | null
  /** Whether an approval can be signed instead of sent (EIP-2612). */
  readonly eip2612: boolean
}

/** What a swap pays at one block. Amounts are decimal text in base units. */
export interface Quote {
  /** Names source and router, to be given back when the transaction is built. */
  readonly id: string
  readonly fromAmount: string
  /** CAIP-10 of the sold token. */
  readonly fromAccount: string
  readonly toAmount: string
  /** CAIP-10 of the bought token. */
  readonly toAccount: string
  /** The least that the transaction accepts. */
  readonly toAmountMin: string
  /** `onchain`, or a vendor's name. */
  readonly source: string
  /** Block number as decimal text; `0` when a vendor does not say. */
  readonly block: string
  /** Proven distance from the best that any route could pay, in hundredths of a percent. */
  readonly boundBps?: number | null
  /** The same without pools that the quote's router cannot trade; never above `boundBps`. */
  readonly routerBoundBps?: number | null
  /** Percent, pool fees aside. */
  readonly priceImpact?: number | null
  /** Units. */
  readonly gas: string
  /** Wei. */
  readonly gasPrice: string
  /** Wei of the own currency, all in all. */
  readonly networkFee: string
  /** What the operator takes, in base units of the bought token. */
  readonly providerFee: string
  /** Who must be allowed to take the sold token, as a plain address; absent when nobody must. */
  readonly spender?: string | null
  /** Whether the very transaction was simulated at the block. */
  readonly confirmed: boolean
  /** Why it could not be; empty when it was. */
  readonly unconfirmedBecause: string
  /** Empty when a vendor does not say. */
  readonly route: readonly RoutePath[]
  /** How many calls it takes beside approvals. */
  readonly calls: number
  /** What every source that was asked said. */
  readonly offers: readonly Offer[]
}

/** A share of the amount and the pools it goes through. */
export interface RoutePath {
  /** Percent. */
  readonly share: number
  readonly hops: readonly RouteHop[]
}

/** One pool on a path. */
export interface RouteHop {
  /** Plain address. */
  readonly pool: string
  /** Which exchange. */
  readonly venue: string
  /** `v2`, `v3`, …; `wrap` for the own currency's wrapper. */
  readonly kind: string
  /** Percent. */
  readonly fee: number
  /** CAIP-10. */
  readonly from: string
  /** CAIP-10. */
  readonly to: string
}

/** What one source said. */
export interface Offer {
  readonly source: string
  /** Base units; empty when it has no quote. */
  readonly toAmount: string
  /** Why it has none; empty when it has. */
  readonly reason: string
}

export interface Allowance {
  /** Base units, decimal text. */
  readonly allowance: string
  /** Plain address. */
  readonly spender: string
}

/** Wei per unit of gas, decimal text. */
export interface GasPrices {
  readonly slow: string
  readonly standard: string
  readonly fast: string
  readonly instant: string
}

export interface GasTerms {
  /** Units, decimal text. */
  readonly gas: string
  /** Wei, decimal text. */
  readonly gasPrice: string
}

/** An ERC-20 `approve`, to be sent to `token`. */
export interface ApproveTransaction {
  /** Hex. */
  readonly data: string
  readonly eip155: GasTerms
  /** Plain address. */
  readonly spender: string
  /** Plain address. */
  readonly token: string
  /** Whether an approval of nothing must be mined first. */
  readonly reset: boolean
}

export interface PermitQuestion {
  /** Typed data as JSON, for `eth_signTypedData_v4`. */
  readonly typedData: string
  /** Unix seconds, decimal text. */
  readonly deadline: string
}

/** The swap, ready to be signed. */
export interface SwapTransaction {
  /** CAIP-10 of the contract to call. */
  readonly to: string
  /** Hex. */
  readonly data: string
  /** Expected, in base units of the bought token. */
  readonly amount: string
  readonly eip155: GasTerms
  /** Wei to send along. */
  readonly value: string
  /** The least that it accepts, in base units of the bought token. */
  readonly toAmountMin: string
  /** Wei. */
  readonly networkFee: string
  readonly confirmed: boolean
  readonly unconfirmedBecause: string
  readonly block: string
  /** Unix seconds until which it can be mined; `0` when a vendor does not say. */
  readonly deadline: string
  readonly source: string
  /** The batch in order, approvals first. */
  readonly calls: readonly ContractCall[]
  readonly spender?: string | null
}

/** One call of a batch. */
export interface ContractCall {
  /** Plain address. */
  readonly to: string
  /** Hex. */
  readonly data: string
  /** Wei, decimal text. */
  readonly value: string
}
