/** CAIP-2 ids of the chains the gateway serves, by transport. */
export interface SupportedChains {
  readonly http: readonly string[]
  readonly ws: readonly string[]
}

/** One token of a balance list. */
export interface Balance {
  readonly name: string
  readonly symbol: string
  /** CAIP-2. */
  readonly chainId?: string
  /** CAIP-10; absent for the native token of an EVM chain. */
  readonly address?: string
  /** Worth in the currency asked for, for display only. */
  readonly value?: number
  /** Price of one token, for display only; 0 when unknown. */
  readonly price: number
  /** `numeric` is an exact decimal string in whole tokens. */
  readonly quantity: { readonly decimals: string; readonly numeric: string }
  /** May be empty. */
  readonly iconUrl: string
}

/** What a token is and what one of it costs. */
export interface Fungible {
  /** CAIP-10, as it was asked for. */
  readonly address: string
  readonly name: string
  readonly symbol: string
  readonly iconUrl: string
  /** For display only. */
  readonly price: number
  readonly decimals: number
}
