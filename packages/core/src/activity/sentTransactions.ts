import type { AccountOwner } from '../account/owner.ts'
import { items } from '../storage/items.ts'
import type {
  ActivityTransaction,
  ActivityTransfer,
  SentCall,
  SentChange,
  SentTransaction,
} from '../types/activity.ts'
import type { ContractCall } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'

/** Maximum number of pending transactions that are kept. */
const MOST_SENT = 20

/** A transaction that is in no block after a day is not followed any more. */
const MOST_AGE_MS = 86_400_000

/** One asset that moves, as in a history. */
type Movement = Pick<ActivityTransfer, 'fungibleInfo' | 'nftInfo' | 'quantity'>

/** A transaction that the wallet sent. */
export interface SentTransfer {
  /** Empty for a batch. */
  readonly hash: string
  readonly to: string
  readonly transfer: Movement
  /** The bought asset of a swap. */
  readonly received?: Movement
  readonly batch?: string
  readonly deadline?: number | undefined
  readonly lastBlock?: string | undefined
  /** What was sent, where a wallet may send it again with another hash. */
  readonly call?: ContractCall | undefined
  readonly receiverName?: string | undefined
}

/** Shows a transaction as pending once the wallet has sent it, and stores it for the next page load. */
export function rememberSent(
  hawser: Hawser,
  { caipAddress, address, network }: AccountOwner,
  { hash, to, transfer, received, batch, deadline, lastBlock, call, receiverName }: SentTransfer,
): SentTransaction {
  const transaction: ActivityTransaction = {
    id: `${network.caipNetworkId}:${batch ?? hash}`,
    metadata: {
      operationType: received ? 'trade' : 'send',
      hash,
      minedAt: new Date(hawser.clock.now()).toISOString(),
      sentFrom: address,
      sentTo: to,
      status: 'pending',
      nonce: 0,
      chain: network.caipNetworkId,
      block: '',
    },
    spam: false,
    transfers: [
      { ...transfer, direction: 'out', sender: address, recipient: to, spam: false },
      ...(received ? [{ ...received, direction: 'in', sender: to, recipient: address, spam: false }] : []),
    ],
  }
  const sent: SentTransaction = {
    owner: caipAddress,
    transaction,
    ...(batch && { batch }),
    ...(deadline && { deadline }),
    ...(lastBlock && { lastBlock }),
    ...(call && { call: sentCall(address, call) }),
    ...(receiverName && { receiverName }),
  }
  showSent(hawser, sent)
  keep(hawser, [sent, ...openSent(hawser)])
  return sent
}

/** Returns what a call is known by after it was sent. */
export function sentCall(from: string, { to, data, value }: ContractCall): SentCall {
  return { from, to, data, value: String(value) }
}

/** Adds a transaction to those that the history does not list yet. */
export function showSent(hawser: Hawser, sent: SentTransaction): void {
  hawser.activity.setState((state) => ({ sent: [sent, ...state.sent].slice(0, MOST_SENT) }))
}

/** Returns the stored pending transactions of this browser, newest first. */
export function openSent(hawser: Hawser): readonly SentTransaction[] {
  const kept = hawser.storage.read<readonly SentTransaction[]>(items.sentTransactions)
  if (!Array.isArray(kept)) return []
  const oldest = hawser.clock.now() - MOST_AGE_MS
  return kept.filter((sent: SentTransaction) => Date.parse(sent?.transaction?.metadata?.minedAt) > oldest)
}

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
  keep(
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
  keep(
    hawser,
    openSent(hawser).map((each) => (each.transaction.id === id ? note(each) : each)),
  )
}

function show(hawser: Hawser, id: string, changed: (sent: SentTransaction) => SentTransaction): void {
  const change = (each: SentTransaction) => (each.transaction.id === id ? changed(each) : each)
  hawser.activity.setState(({ sent }) => ({ sent: sent.map(change) }))
  hawser.send.setState(({ sent }) => ({ sent: sent && change(sent) }))
}

function keep(hawser: Hawser, sent: readonly SentTransaction[]): void {
  if (sent.length === 0) hawser.storage.remove(items.sentTransactions)
  else hawser.storage.write(items.sentTransactions, sent.slice(0, MOST_SENT))
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
