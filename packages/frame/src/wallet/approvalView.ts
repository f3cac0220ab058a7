import type { TypedDataDefinition } from 'viem'

/** A call of a transaction, as it is shown. */
export interface CallView {
  /** Undefined when a contract is deployed. */
  readonly to: string | undefined
  /** Wei. */
  readonly value: bigint
  /** Hexadecimal. */
  readonly data: string
}

/** What a request would do, as the user sees it before the click. */
export interface ApprovalView {
  /** Origin of the page that requests it. */
  readonly site: string
  /** CAIP-2. */
  readonly chainId: string
  /** The account that signs. */
  readonly address: string
  readonly content: /** `text` is what the bytes say in UTF-8; undefined for bytes that say nothing. */
    | { readonly kind: 'message'; readonly text: string | undefined; readonly hex: string }
    | { readonly kind: 'typedData'; readonly data: TypedDataDefinition }
    /** One call, or several that are sent one after the other or, if `isAtomic`, at once. */
    | {
        readonly kind: 'calls'
        readonly calls: readonly CallView[]
        readonly isAtomic: boolean
        /** The most that the network charges, in wei; undefined when it is paid by somebody else. */
        readonly maxFee: bigint | undefined
        /** The code that the account runs from then on (EIP-7702); undefined when it stays as it is. */
        readonly delegate: string | undefined
      }
    /** Transactions of Solana in base 64. */
    | { readonly kind: 'solanaTransactions'; readonly transactions: readonly string[] }
}
