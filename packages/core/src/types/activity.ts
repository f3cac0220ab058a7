import type { MessageData } from '@hawser/client'
import type { Coverage, Metadata, Quantity, Transaction, Transfer } from '@hawser/client/activity'
import type { CaipAddress } from './network.ts'

/** One row of the history of an account. */
export interface ActivityTransaction extends Omit<MessageData<Transaction>, 'metadata' | 'transfers'> {
  readonly metadata: MessageData<Metadata>
  readonly transfers: readonly ActivityTransfer[]
}

export interface ActivityTransfer extends Omit<MessageData<Transfer>, 'quantity'> {
  /** `numeric` is an exact decimal string in whole tokens. */
  readonly quantity: MessageData<Quantity>
}

export type ActivityCoverage = MessageData<Coverage>

/** One page of a history. */
export interface ActivityPage {
  /** Newest first. */
  readonly transactions: readonly ActivityTransaction[]
  /** Cursor of the next older page; undefined on the last. */
  readonly next: string | undefined
  readonly coverage: ActivityCoverage | undefined
}

/** The history of the account in use, as far as it was read. */
export interface ActivityState {
  /** Whose history it is. */
  readonly owner: CaipAddress | undefined
  /** False until the first answer. */
  readonly isLoaded: boolean
  /** Which page is being read. */
  readonly reading: 'newest' | 'older' | undefined
  /** True when the last reading failed, whatever is shown. */
  readonly hasFailed: boolean
  /** Newest first. */
  readonly transactions: readonly ActivityTransaction[]
  /** Cursor of the next older page; undefined when there is none. */
  readonly next: string | undefined
  readonly coverage: ActivityCoverage | undefined
  /** Sent on this page, newest first, of every account; a transaction leaves once its owner's history holds it. */
  readonly sent: readonly SentTransaction[]
}

/** A transaction sent on this page, or before its last reload, that no history holds yet. */
export interface SentTransaction {
  readonly owner: CaipAddress
  /** Its hash is empty while a batch is in no block. */
  readonly transaction: ActivityTransaction
  /** What the wallet calls the batch (EIP-5792); absent for a single transaction. */
  readonly batch?: string
  /** Unix milliseconds until which it can be mined; absent when nothing says. */
  readonly deadline?: number
  /** The name that was typed for the receiver. */
  readonly receiverName?: string
}
