import type { AccountOwner } from '../account/owner.ts'
import { items } from '../storage/items.ts'
import type { ApprovalReference } from '../types/access.ts'
import type { ActivityTransaction, ActivityTransfer, SentCall, SentTransaction } from '../types/activity.ts'
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
  /** A dangerous approval in it, see `dangerousApproval`. */
  readonly approval?: ApprovalReference | undefined
}

/** Shows a transaction as pending once the wallet has sent it, and stores it for the next page load. */
export function rememberSent(
  hawser: Hawser,
  { caipAddress, address, network }: AccountOwner,
  { hash, to, transfer, received, batch, deadline, lastBlock, call, receiverName, approval }: SentTransfer,
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
    ...(approval && { approval }),
  }
  showSent(hawser, sent)
  keepSent(hawser, [sent, ...openSent(hawser)])
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

/** Stores the pending transactions of this browser. */
export function keepSent(hawser: Hawser, sent: readonly SentTransaction[]): void {
  if (sent.length === 0) hawser.storage.remove(items.sentTransactions)
  else hawser.storage.write(items.sentTransactions, sent.slice(0, MOST_SENT))
}
