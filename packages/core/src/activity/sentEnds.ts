import type { SentChange, SentTransaction } from '../types/activity.ts'
import type { Hawser } from '../types/hawser.ts'
import { keepSent, openSent } from './sentTransactions.ts'

/** The outcome of a sent transaction. */
interface SentEnd {
  readonly status: 'confirmed' | 'failed'
  /** Hash of the transaction; that of a batch is known only at its end. */
  readonly hash: string
  /** Why it failed, where the chain says so. */
  readonly failure: string | undefined
  readonly change: SentChange | undefined
  /** What a swap received, as a decimal; undefined where the quoted amount is all that is known. */
  readonly received: string | undefined
}

/** Stores the outcome of a sent transaction, whether or not the history lists it. Returns the transaction with it. */
export function settleSent(hawser: Hawser, settled: SentTransaction, end: SentEnd): SentTransaction {
  const { id } = settled.transaction
  show(hawser, id, (each) => withEnd(each, end))
  keepSent(
    hawser,
    openSent(hawser).filter((each) => each.transaction.id !== id),
  )
  hawser.push.setState(({ activityChanges }) => ({ activityChanges: activityChanges + 1 }))
  return withEnd(settled, end)
}

/** Stores what was found out about a transaction that is still pending. */
export function noteSent(
  hawser: Hawser,
  { transaction: { id } }: SentTransaction,
  note: (sent: SentTransaction) => SentTransaction,
): void {
  show(hawser, id, note)
  keepSent(
    hawser,
    openSent(hawser).map((each) => (each.transaction.id === id ? note(each) : each)),
  )
}

function show(hawser: Hawser, id: string, changed: (sent: SentTransaction) => SentTransaction): void {
  const change = (each: SentTransaction) => (each.transaction.id === id ? changed(each) : each)
  hawser.activity.setState(({ sent }) => ({ sent: sent.map(change) }))
  hawser.send.setState(({ sent }) => ({ sent: sent && change(sent) }))
}

function withEnd(
  { change: _, ...sent }: SentTransaction,
  { status, hash, failure, change, received: numeric }: SentEnd,
): SentTransaction {
  const { transaction } = sent
  const metadata = { ...transaction.metadata, status, hash }
  const [given, received] = transaction.transfers
  const transfers =
    given && received && numeric ? [given, { ...received, quantity: { numeric } }] : transaction.transfers
  return {
    ...sent,
    transaction: { ...transaction, metadata, transfers },
    ...(failure && { failure }),
    ...(change && { change }),
  }
}
