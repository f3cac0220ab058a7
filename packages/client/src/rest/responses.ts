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
  /** Where the price comes from: `static`, `feed`, `pool` or a vendor's name; absent when there is no price. */
  readonly priceSource?: string
  /** Seconds since the price was made; absent when it does not age. */
  readonly priceAge?: number
  /** Why the token is better not shown at first: `no_liquidity`, `link` or `look_alike`; absent when nothing speaks against it. */
  readonly hidden?: string
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

/** One page of an account's history. What is not known is null. */
export interface History {
  /** Newest first. */
  readonly data: readonly HistoryTransaction[]
  /** Cursor of the next page; null on the last. */
  readonly next?: string | null
  readonly coverage?: HistoryCoverage
}

/** How far a history reaches. */
export interface HistoryCoverage {
  /** Whether older blocks are still being read. */
  readonly backfilling: boolean
  /** Oldest block read, by CAIP-2 chain id, as decimal text. */
  readonly fromBlock: Readonly<Record<string, string>>
  /** Oldest block from which native transfers are known, by CAIP-2 chain id, as decimal text. */
  readonly nativeFromBlock: Readonly<Record<string, string>>
}

/** One row of a history. */
export interface HistoryTransaction {
  readonly id: string
  readonly metadata: HistoryMetadata
  /** What moved; never empty. What only a token claims comes last. */
  readonly transfers: readonly HistoryTransfer[]
  /** Whether the row rests on unlisted tokens alone, in a transaction that the account did not send. */
  readonly spam?: boolean
}

export interface HistoryMetadata {
  /** `send`, `receive`, `trade`, `approve`, `mint`, `burn`, `deploy`, `execute`; other words may come from other indexes. */
  readonly operationType: string
  /** Transaction hash. */
  readonly hash: string
  /** RFC 3339 in UTC. */
  readonly minedAt: string
  readonly sentFrom: string
  /** Empty when the transaction created a contract. */
  readonly sentTo: string
  /** `confirmed`, `failed` or `pending`. */
  readonly status: string
  readonly nonce: number
  /** The contract called, where it is a listed token. */
  readonly application?: { readonly name: string; readonly iconUrl: string } | null
  /** CAIP-2. */
  readonly chain: string
  /** Block number, as decimal text. */
  readonly block?: string
  /** Base units of the native currency, as decimal text; absent when somebody else paid. */
  readonly fee?: string | null
}

/** One thing that moved, or an allowance that was given. */
export interface HistoryTransfer {
  readonly fungible_info?: {
    readonly name: string
    readonly symbol: string
    readonly icon?: { readonly url: string } | null
    /** CAIP-10; absent for the native token. */
    readonly address?: string | null
    readonly decimals: number
    /** What is wrong with the name of a token outside the lists: `look_alike` or `link`. */
    readonly warning?: string | null
  } | null
  readonly nft_info?: {
    readonly name: string
    readonly content?: {
      readonly preview?: { readonly url: string; readonly content_type?: string | null } | null
    } | null
    readonly flags?: { readonly is_spam: boolean }
    /** CAIP-10 of the contract. */
    readonly address: string
    /** Decimal text. */
    readonly token_id: string
    readonly standard: string
  } | null
  /** `in`, `out` or `self`. */
  readonly direction: string
  /** `numeric` is an exact decimal string in whole tokens. */
  readonly quantity: { readonly numeric: string }
  /** Worth in the currency asked for, for display only. */
  readonly value?: number | null
  readonly price?: number | null
  readonly sender: string
  readonly recipient: string
  /** Whether the transfer is of an unlisted token, in a transaction that the account did not send. */
  readonly spam?: boolean
}

/** The tokens of their kind that an account owns on one chain. */
export interface NftHoldings {
  readonly collections: readonly NftCollection[]
  /** Whether older blocks are still being read, so that more may come. */
  readonly backfilling: boolean
  /** Whether more tokens moved to the account than are looked at. */
  readonly truncated?: boolean
}

/** One contract and what the account owns of it. */
export interface NftCollection {
  /** CAIP-10. */
  readonly address: string
  /** Empty when the contract has none. */
  readonly name: string
  readonly symbol: string
  /** `erc721` or `erc1155`. */
  readonly standard: string
  readonly nfts: readonly Nft[]
  /** Why the collection is better not shown at first; absent when nothing speaks against it. */
  readonly hidden?: string
  /** How many different tokens of the contract the account owns, those that are not listed too. */
  readonly owned: number
}

/** One token. */
export interface Nft {
  /** Decimal text. */
  readonly tokenId: string
  /** How many the account owns, as decimal text. */
  readonly quantity: string
  readonly name: string
  /** Plain text. */
  readonly description: string
  /** Id for `nftMediaUrl`; empty when there is no picture. */
  readonly mediaId: string
  /** Whether the metadata could be read. */
  readonly metadataRead: boolean
  readonly traits: readonly { readonly name: string; readonly value: string }[]
}
