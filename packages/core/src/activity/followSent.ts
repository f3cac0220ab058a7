import type { Message } from '@hawser/texts/message'
import { isSmartAccount } from '../account/account.ts'
import { fetchNativeBalance } from '../account/nativeBalance.ts'
import { activeOwner } from '../account/owner.ts'
import { fetchTokenBalance } from '../account/tokenBalance.ts'
import { formatUnits } from '../amounts/units.ts'
import { contractsOf, nodeOf } from '../chain/adapters.ts'
import { toast } from '../errors/messages.ts'
import { RECEIPT_TIMEOUT_MS, SENT_PATIENCE_MS } from '../limits.ts'
import { reportTransfer } from '../modal/transferFlows.ts'
import { nativePlaceholder } from '../network/nativePlaceholder.ts'
import type { ActivityTransfer, SentChange, SentTransaction } from '../types/activity.ts'
import type { ReceiptStatus } from '../types/adapter.ts'
import type { SwapProperties } from '../types/events.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipNetworkId, Namespace } from '../types/network.ts'
import { noteSent, settleSent } from './sentEnds.ts'
import { isSwap, sentMessage, swapMessage } from './sentTexts.ts'
import { openSent, showSent } from './sentTransactions.ts'
import { tellWebhooks } from './tellWebhooks.ts'
import { type End, waitForBatch, waitForReceipt } from './waitForReceipt.ts'

/** Follows the active account's transactions that were pending when the page was last closed. */
export function resumeSent(hawser: Hawser): void {
  const address = activeOwner(hawser)?.address
  for (const sent of openSent(hawser)) {
    const { id, metadata } = sent.transaction
    if (metadata.sentFrom !== address || hawser.following.sent.has(id)) continue
    if (!hawser.activity.getState().sent.some(({ transaction }) => transaction.id === id))
      showSent(hawser, sent)
    void followSent(hawser, sent)
  }
}

/**
 * Waits until a transaction is in a block, reports its outcome and reads the balances again; offers to revoke a dangerous approval. A transaction that is in
 * no block for a long time is given up until the page is loaded again. Never throws.
 */
export async function followSent(hawser: Hawser, sent: SentTransaction): Promise<void> {
  const { id } = sent.transaction
  hawser.following.sent.add(id)
  reportTransfer(hawser, { kind: 'sentFollowed', sent })
  const { outcome, hash } = await endOf(hawser, sent)
  hawser.following.sent.delete(id)
  if (outcome === 'pending') {
    if (isSwap(sent)) reportTransfer(hawser, { kind: 'swapUnresolved', ...swapMessage(sent) })
    return
  }
  const hasSucceeded = outcome === 'success'
  const isAsSent = hash === sent.transaction.metadata.hash
  if (!isAsSent && (hasSucceeded || outcome === 'reverted')) tellWebhooks(hawser, sent, hash)
  const failure = outcome === 'reverted' ? failureOf(hawser, sent) : undefined
  const received = isSwap(sent) && hasSucceeded ? await readReceived(hawser, sent, hash) : undefined
  const status = hasSucceeded ? 'confirmed' : 'failed'
  const change = changeOf(sent, outcome, hash)
  const settled = settleSent(hawser, sent, { status, hash, failure, change, received })
  const message = hasSucceeded ? successText(settled) : failureText(settled)
  reportTransfer(hawser, { kind: 'transactionMined', id, ...message, hasSucceeded })
  if (isSwap(sent)) trackSwap(hawser, settled, message.message)
  await refreshBalances(hawser, sent)
}

/** Returns why a transaction failed, in namespaces whose chains say so. */
function failureOf({ adapters }: Hawser, sent: SentTransaction): string | undefined {
  return adapters.get(namespaceOf(sent))?.failureOf?.(sent.transaction.metadata.hash)
}

async function endOf(hawser: Hawser, sent: SentTransaction): Promise<End> {
  const { hash } = sent.transaction.metadata
  const patienceMs = patienceOf(hawser, sent)
  if (sent.batch) return waitForBatch(hawser, namespaceOf(sent), sent.batch, patienceMs)
  const network = { caipNetworkId: chainOf(sent), chainNamespace: namespaceOf(sent) }
  const { lastBlock, call } = sent
  const end = await waitForReceipt(
    hawser,
    network,
    { hash, lastBlock, call },
    {
      patienceMs,
      onShown: (shown) => noteSent(hawser, sent, (each) => ({ ...each, call: shown })),
      onDoubt: (isUnknown) => noteDoubt(hawser, sent, isUnknown),
    },
  )
  return { ...end, hash: end.hash || hash }
}

/** Shows whether the network still knows a pending transaction. */
function noteDoubt(hawser: Hawser, sent: SentTransaction, isUnknown: boolean): void {
  noteSent(hawser, sent, ({ change: _, ...each }) => ({ ...each, ...(isUnknown && { change: 'dropped' }) }))
  const { id } = sent.transaction
  if (isUnknown) reportTransfer(hawser, { kind: 'transactionDropped', id, ...toast('transactionDropped') })
}

/** Returns what became of a transaction that was not included as it was sent. */
function changeOf(
  { transaction, batch }: SentTransaction,
  outcome: ReceiptStatus,
  hash: string,
): SentChange | undefined {
  if (outcome === 'cancelled' || outcome === 'replaced' || outcome === 'expired') return outcome
  return !batch && hash !== transaction.metadata.hash ? 'spedUp' : undefined
}

/**
 * Returns how long to wait, in milliseconds: until the deadline, after which it cannot be mined, and 2 minutes more;
 * half an hour without a deadline.
 */
function patienceOf(hawser: Hawser, { deadline }: SentTransaction): number {
  if (deadline === undefined) return SENT_PATIENCE_MS
  return Math.max(0, deadline - hawser.clock.now()) + RECEIPT_TIMEOUT_MS
}

function successText(sent: SentTransaction): Message {
  return isSwap(sent) ? swapMessage(sent) : sentMessage(sent)
}

function failureText({ change, failure }: SentTransaction): Message {
  switch (change) {
    case 'cancelled':
      return toast('transactionCancelled')
    case 'replaced':
      return toast('transactionReplaced')
    case 'expired':
      return toast('transactionExpired')
    default:
      return failure ? { message: failure } : toast('transactionReverted')
  }
}

function trackSwap(hawser: Hawser, sent: SentTransaction, message: string): void {
  const { status, hash } = sent.transaction.metadata
  const properties = swapProperties(hawser, sent)
  if (status === 'confirmed')
    hawser.events.emit({ event: 'SWAP_SUCCESS', properties: { ...properties, hash } })
  else hawser.events.emit({ event: 'SWAP_ERROR', properties: { ...properties, message } })
}

function swapProperties(hawser: Hawser, sent: SentTransaction): SwapProperties {
  const [sold, bought] = sent.transaction.transfers
  return {
    isSmartAccount: isSmartAccount(hawser),
    network: chainOf(sent),
    swapFromToken: sold?.fungibleInfo?.symbol ?? '',
    swapToToken: bought?.fungibleInfo?.symbol ?? '',
    swapFromAmount: sold?.quantity.numeric ?? '',
    swapToAmount: bought?.quantity.numeric ?? '',
  }
}

/**
 * Returns the received amount as a decimal, from the logs of the receipt; undefined for the native currency, which has no
 * logs.
 */
async function readReceived(
  hawser: Hawser,
  sent: SentTransaction,
  hash: string,
): Promise<string | undefined> {
  const info = sent.transaction.transfers[1]?.fungibleInfo
  if (!info?.address) return undefined
  try {
    const contracts = await contractsOf(hawser, namespaceOf(sent))
    const node = nodeOf(hawser, { caipNetworkId: chainOf(sent) })
    const address = info.address.slice(info.address.lastIndexOf(':') + 1)
    const paid = await contracts.received(node, hash, address, sent.transaction.metadata.sentFrom)
    return paid && paid > 0n ? formatUnits(paid, info.decimals) : undefined
  } catch {
    return undefined
  }
}

async function refreshBalances(hawser: Hawser, sent: SentTransaction): Promise<void> {
  if (activeOwner(hawser)?.caipAddress !== sent.owner) return
  await Promise.all([
    fetchNativeBalance(hawser, { bypassCache: true }),
    fetchTokenBalance(hawser, {
      forceUpdate: sent.transaction.transfers.map((moved) => tokenOf(sent, moved)),
    }),
  ])
}

/** Returns the CAIP-10 id of a moved token; that of the native token for an NFT, which is in no balance list. */
function tokenOf(sent: SentTransaction, { fungibleInfo }: ActivityTransfer): string {
  return fungibleInfo?.address ?? `${chainOf(sent)}:${nativePlaceholder(namespaceOf(sent))}`
}

function chainOf({ transaction }: SentTransaction): CaipNetworkId {
  return transaction.metadata.chain as CaipNetworkId
}

function namespaceOf(sent: SentTransaction): Namespace {
  return chainOf(sent).split(':')[0] as Namespace
}
