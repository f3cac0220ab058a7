import type { MessageData } from '@hawser/client'
import type { Coverage, Metadata, Quantity, Transaction, Transfer } from '@hawser/client/activity'
import type { ApprovalReference } from './access.ts'
import type { CaipAddress } from './network.ts'

/** One row of the history of an account. */
export interface ActivityTransaction extends Omit<MessageData<Transaction>, 'metadata' | 'transfers'> {
  readonly metadata: MessageData<Metadata>
  readonly transfers: readonly ActivityTransfer[]
  /** Blocks from that of the transaction to the newest, on networks where this count says how final it is. */
  readonly confirmations?: number
}

export interface ActivityTransfer extends Omit<MessageData<Transfer>, 'quantity'> {
  /** `numeric` is an exact decimal string in whole tokens. */
  readonly quantity: MessageData<Quantity>
}

/** The blocks that a history is read from. */
export type ActivityCoverage = MessageData<Coverage>

/** One page of a history. */
export interface ActivityPage {
  /** Newest first. */
  readonly transactions: readonly ActivityTransaction[]
  /** Cursor of the next older page; undefined on the last. */
  readonly next: string | undefined
  readonly coverage: ActivityCoverage | undefined
}

/** The history of the active account, as far as it was read. */
export interface ActivityState {
  /** The account of the history. */
  readonly owner: CaipAddress | undefined
  /** False until the first answer. */
  readonly isLoaded: boolean
  /** Which page is being read. */
  readonly reading: 'newest' | 'older' | undefined
  /** True when the last read failed. */
  readonly hasFailed: boolean
  /** Newest first. */
  readonly transactions: readonly ActivityTransaction[]
  /** Cursor of the next older page; undefined when there is none. */
  readonly next: string | undefined
  readonly coverage: ActivityCoverage | undefined
  /** Pending transactions of all accounts, newest first; a transaction is removed once the history has it. */
  readonly sent: readonly SentTransaction[]
}

/** What a sent EVM transaction is known by when its hash changes. */
export interface SentCall {
  readonly from: string
  /** Empty for the creation of a contract. */
  readonly to: string
  /** Wei, in decimal. */
  readonly value: string
  /** Hex. */
  readonly data: string
  /** Absent until a node has shown the transaction. */
  readonly nonce?: number
  /** A height at which it was in no block; absent before the first look. */
  readonly sinceBlock?: number
}

/**
 * What became of a sent transaction.
 *
 * - `spedUp`: the wallet sent the same call again, which was included.
 * - `cancelled`, `replaced`: the wallet sent another transaction with its nonce, which does nothing, or something else.
 * - `expired`: it was in no block in time.
 * - `dropped`: no node has known it for some minutes. It is still followed.
 */
export type SentChange = 'spedUp' | 'cancelled' | 'replaced' | 'expired' | 'dropped'

/** A transaction that this page sent, also before a reload, and that no history has yet. */
export interface SentTransaction {
  readonly owner: CaipAddress
  /** Its hash is empty while a batch is in no block. */
  readonly transaction: ActivityTransaction
  /** The wallet's id of the batch (EIP-5792); absent for a single transaction. */
  readonly batch?: string
  /** Unix milliseconds until which it can be mined; absent without a deadline. */
  readonly deadline?: number
  /** The last block height at which it can be included, in decimal; absent when it is not known, or never expires. */
  readonly lastBlock?: string
  /** What it is known by when its hash changes; absent in namespaces where no other transaction can take its place. */
  readonly call?: SentCall
  /** What became of it other than that it was included as it was sent. */
  readonly change?: SentChange
  /** The name that was typed for the receiver. */
  readonly receiverName?: string
  /** Why it failed, as a sentence, where the chain says so. */
  readonly failure?: string
  /** An approval in it that the preview called a danger, and the visitor signed all the same. */
  readonly approval?: ApprovalReference
}
