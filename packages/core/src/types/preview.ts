/** How a request to sign was examined: by simulation, or by decoding only. */
export type PreviewOutcome =
  | 'succeeds'
  | 'reverts'
  /** The request could not be simulated: it may do more than is shown. */
  | 'notSimulated'
  /** A message or typed data that gives no rights. */
  | 'message'

/** An amount of a token. Texts of contracts are without control characters. */
export interface PreviewAmount {
  /** Exact decimal in whole tokens; undefined for all tokens of the contract. */
  readonly amount: string | undefined
  /** Symbol, or the contract of a token without one. */
  readonly symbol: string
  /** Decimal; empty for tokens that are not NFTs, and for all tokens of a contract. */
  readonly tokenId: string
}

/** A token that leaves or reaches the account. */
export interface PreviewChange extends PreviewAmount {
  /** Plain address of the token; empty for the native token. */
  readonly contract: string
  readonly isOutgoing: boolean
  /** Plain address of the other account. */
  readonly counterparty: string
}

/** A right to take tokens from the account. */
export interface PreviewApproval extends PreviewAmount {
  /** Plain address of the token, or of the collection. */
  readonly contract: string
  /** Plain address of the account that may take. */
  readonly spender: string
  /** Unix seconds; undefined for never. */
  readonly expiresAt: number | undefined
  /** Whether the request ends the right. */
  readonly isRevoked: boolean
}

export interface PreviewWarning {
  readonly severity: 'notice' | 'caution' | 'danger'
  /** In English. */
  readonly text: string
  /** The sentence of the text, by its name in `hawser.preview.v1.Phrase`: `DRAINS`. Empty for one without a name. */
  readonly phrase: string
  /** What the sentence names, such as an address; empty for an account that is not known. */
  readonly value: string
  /** Plain address of the account that the warning is about; empty for none. */
  readonly subject: string
}

/** A value of a description. Texts are plain text of a descriptor or of the data. */
export type PreviewValue =
  | { readonly kind: 'text' | 'bytes'; readonly text: string }
  /** Decimal, of any size. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'flag'; readonly isSet: boolean }
  /** Plain address. */
  | { readonly kind: 'address'; readonly address: string }
  /** `message` stands for an amount without a limit; empty for the usual word. */
  | {
      readonly kind: 'amount'
      readonly amount: PreviewAmount
      readonly isUnlimited: boolean
      readonly message: string
    }
  /** A token, or the one with an id. */
  | { readonly kind: 'token'; readonly symbol: string; readonly tokenId: string }
  /** Unix seconds. */
  | { readonly kind: 'time'; readonly seconds: number }
  | { readonly kind: 'duration'; readonly seconds: number }
  /** Exact decimal, and its unit. */
  | { readonly kind: 'quantity'; readonly text: string; readonly unit: string }
  /** A call of a contract within the request; `inner` is undefined for one that is not described. */
  | { readonly kind: 'call'; readonly address: string; readonly inner: PreviewDescription | undefined }

/** A labelled value of a description. */
export interface PreviewRow {
  readonly label: string
  readonly value: PreviewValue
}

/** What a call, or typed data, asks of its contract in the words of a descriptor (ERC-7730). It says nothing of what the request does. */
export interface PreviewDescription {
  /** What it does, in short; empty where the rows say it. */
  readonly intent: string
  /** The same with values: texts, and indexes of rows. Empty for none. */
  readonly sentence: readonly (string | number)[]
  readonly rows: readonly PreviewRow[]
  /** Who runs the contract, and what people call it; empty if neither is known. */
  readonly owner: string
}

/** What a request to sign would do. */
export interface Preview {
  readonly outcome: PreviewOutcome
  /** Why it would revert or could not be simulated, in English or as text of a contract; empty otherwise. */
  readonly reason: string
  /** The key of a reason that the page itself found. */
  readonly reasonKey?: string | undefined
  /** The reason, by its name in `hawser.preview.v1.Cause`: `NATIVE_LOW`. Empty for one without a name. */
  readonly cause: string
  /** Whether another of the requests could not be examined: together they may do more than is shown. */
  readonly isPartial?: boolean
  /** Whether what the review shows was simulated, and is left out here. */
  readonly isReviewed?: boolean
  readonly changes: readonly PreviewChange[]
  readonly approvals: readonly PreviewApproval[]
  /** What the request asks in words, in the order of its calls; absent where no descriptor says it. */
  readonly descriptions?: readonly PreviewDescription[] | undefined
  /** The most severe first. */
  readonly warnings: readonly PreviewWarning[]
}

/** The preview of a request, or that it is being read or cannot be read. */
export type PreviewState = 'loading' | 'unavailable' | Preview
