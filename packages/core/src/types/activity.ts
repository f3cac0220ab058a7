import type { MessageData } from '@hawser/client'
import type { Coverage, Metadata, Quantity, Transaction, Transfer } from '@hawser/client/activity'
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
  /** The name that was typed for the receiver. */
  readonly receiverName?: string
  /** Why it failed, as a sentence, where the chain says so. */
  readonly failure?: string
}
