import type { TypedDataDefinition } from 'viem'
import type { Session } from '../permissions/session.ts'
import type { SolanaMessage } from './solanaInstructions.ts'
import type { Fees } from './transaction.ts'

/** A call of a transaction, as it is shown. */
export interface CallView {
  /** Undefined when a contract is deployed. */
  readonly to: string | undefined
  /** Wei. */
  readonly value: bigint
  /** Hexadecimal. */
  readonly data: string
  /** Gas limit that is signed; absent where it is not known before earlier calls are sent. The first call of a smart account has that of all. */
  readonly gas?: bigint
}

/** An operation of the account that a request needs besides, as it is shown. */
export interface OperationView {
  /** The most that the network charges, in wei; 0 if a paymaster pays. */
  readonly maxFee: bigint
  /** Whether the bundler named a fee that is far above that of the network. */
  readonly isHighFee: boolean
  /** The code that the account runs from then on (EIP-7702); undefined when it stays as it is. */
  readonly delegate: string | undefined
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
        /** The most that the network charges for all of them, in wei; undefined where they cannot be sent, as they would fail. */
        readonly maxFee: bigint | undefined
        /** What is signed for each unit of gas, by which a contract could tell a preview from the transaction. */
        readonly fees?: Fees
        /** Whether the site named a fee that is far above that of the network. */
        readonly isHighFee: boolean
        /** The code that the account runs from then on (EIP-7702); undefined when it stays as it is. */
        readonly delegate: string | undefined
        /** Why the network says that they would fail; undefined if it does not. */
        readonly failure?: string | undefined
      }
    /** The end of what a delegate may do for the account (ERC-7710). */
    | {
        readonly kind: 'revocation'
        /** Empty before anything was granted to it. */
        readonly delegate: string
        /** What ends it on chain; undefined before anything was granted, and where no operation can be sent now. */
        readonly operation: OperationView | undefined
      }
    | { readonly kind: 'solanaTransactions'; readonly transactions: readonly SolanaTransactionView[] }
}

/** A transaction of Solana, as it is shown. */
export interface SolanaTransactionView {
  /** Wire format in base 64. */
  readonly transaction: string
  readonly message: SolanaMessage
}

/** A session that a site requests, as the user sees it before the click. */
export interface GrantView {
  /** Origin of the page that requests it. */
  readonly site: string
  /** CAIP-2. */
  readonly chainId: string
  /** The account that grants it. */
  readonly address: string
  /** The account that acts for it. */
  readonly delegate: string
  readonly session: Session
  /** Whether the site accepts lower limits. */
  readonly isAdjustable: boolean
  /** Why the site requests it, in its own words; empty without. */
  readonly justification: string
  /** What makes the account a smart account first; undefined when it is one. */
  readonly upgrade: OperationView | undefined
}
