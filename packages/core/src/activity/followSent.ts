import '../connected.ts'
import { isSmartAccount } from '../account/account.ts'
import { fetchNativeBalance } from '../account/nativeBalance.ts'
import { activeOwner } from '../account/owner.ts'
import { fetchTokenBalance } from '../account/tokenBalance.ts'
import { adapterOf, nodeOf } from '../chain/adapters.ts'
import { NATIVE_TOKEN_ADDRESS, RECEIPT_TIMEOUT_MS, SENT_PATIENCE_MS } from '../constants.ts'
import { toasts } from '../errors/catalogue.ts'
import type { ActivityTransfer, SentTransaction } from '../types/activity.ts'
import type { ReceiptStatus } from '../types/adapter.ts'
import type { SwapProperties } from '../types/events.ts'
import type { Hawser } from '../types/hawser.ts'
import type { CaipNetworkId, Namespace } from '../types/network.ts'
import { paidText, sentText, soldText } from './sentTexts.ts'
import { openSent, settleSent, showSent } from './sentTransactions.ts'
import { askUntilSettled, waitForReceipt } from './waitForReceipt.ts'

/** Follows the transactions of the account in use whose end was not known when the page was left. */
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
 * Waits until a transaction is in a block, says how it ended and reads the balances again. What is in no block for long
 * falls silent, and is followed again when the page is opened anew. Never throws.
 */
export async function followSent(hawser: Hawser, sent: SentTransaction): Promise<void> {
  const { id } = sent.transaction
  hawser.following.sent.add(id)
  const { outcome, hash } = await endOf(hawser, sent)
  hawser.following.sent.delete(id)
  if (outcome === 'pending') {
    if (isSwap(sent)) hawser.report({ kind: 'swapUnresolved', message: swappingText(sent) })
    return
  }
  settleSent(hawser, sent, outcome === 'success' ? 'confirmed' : 'failed', hash)
  if (isSwap(sent)) await reportSwap(hawser, sent, outcome, hash)
  else reportSend(hawser, sent, outcome)
  await refreshBalances(hawser, sent)
}

/** Says that a swap is under way. */
export function showSwapping(hawser: Hawser, sent: SentTransaction): void {
  hawser.report({ kind: 'swapSubmitted', message: swappingText(sent) })
}

interface End {
  readonly outcome: ReceiptStatus
  /** Empty while a batch is in no block. */
  readonly hash: string
}

async function endOf(hawser: Hawser, sent: SentTransaction): Promise<End> {
  const { hash } = sent.transaction.metadata
  const patience = patienceOf(hawser, sent)
  if (sent.batch) return endOfBatch(hawser, sent.batch, namespaceOf(sent), patience)
  const network = { caipNetworkId: chainOf(sent), chainNamespace: namespaceOf(sent) }
  return { outcome: await waitForReceipt(hawser, network, hash, patience), hash }
}

/** The same of a batch, which the wallet knows by an id of its own. */
async function endOfBatch(
  hawser: Hawser,
  batch: string,
  namespace: Namespace,
  patience: number,
): Promise<End> {
  let hash = ''
  const ask = async () => {
    const session = hawser.sessions.get(namespace)
    if (!session) return 'pending'
    const contracts = await adapterOf(hawser, namespace).contracts()
    const status = await contracts.batchStatus(session, batch)
    hash = status.hash ?? hash
    return status.status
  }
  return { outcome: await askUntilSettled(hawser, ask, patience), hash }
}

/** As long as it can still be mined, and some time for that to be told; half an hour when nothing says. */
function patienceOf(hawser: Hawser, { deadline }: SentTransaction): number {
  if (deadline === undefined) return SENT_PATIENCE_MS
  return Math.max(0, deadline - hawser.clock.now()) + RECEIPT_TIMEOUT_MS
}

function reportSend(hawser: Hawser, sent: SentTransaction, outcome: ReceiptStatus): void {
  const hasSucceeded = outcome === 'success'
  const message = hasSucceeded ? sentText(sent) : toasts.transactionReverted
  hawser.report({ kind: 'transferMined', id: sent.transaction.id, message, hasSucceeded })
}

async function reportSwap(
  hawser: Hawser,
  sent: SentTransaction,
  outcome: ReceiptStatus,
  hash: string,
): Promise<void> {
  const properties = swapProperties(hawser, sent)
  if (outcome === 'success') {
    const paid = await readPaid(hawser, sent, hash)
    const message = toasts.swapped(soldText(sent), paidText(sent, paid))
    hawser.report({ kind: 'swapSucceeded', message })
    hawser.events.emit({ event: 'SWAP_SUCCESS', properties: { ...properties, hash } })
    return
  }
  const message = toasts.transactionReverted
  hawser.report({ kind: 'swapReverted', message })
  hawser.events.emit({ event: 'SWAP_ERROR', properties: { ...properties, message } })
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

/** Base units that came, as the block says; undefined for the own currency, of which a receipt tells nothing. */
async function readPaid(hawser: Hawser, sent: SentTransaction, hash: string): Promise<bigint | undefined> {
  const [, bought] = sent.transaction.transfers
  const token = bought?.fungibleInfo?.address
  if (!token) return undefined
  try {
    const contracts = await adapterOf(hawser, namespaceOf(sent)).contracts()
    const node = nodeOf(hawser, { caipNetworkId: chainOf(sent) })
    const address = token.slice(token.lastIndexOf(':') + 1)
    const paid = await contracts.received(node, hash, address, sent.transaction.metadata.sentFrom)
    return paid && paid > 0n ? paid : undefined
  } catch {
    return undefined
  }
}

async function refreshBalances(hawser: Hawser, sent: SentTransaction): Promise<void> {
  if (activeOwner(hawser)?.caipAddress !== sent.owner) return
  await Promise.all([
    fetchNativeBalance(hawser, { afresh: true }),
    fetchTokenBalance(hawser, {
      forceUpdate: sent.transaction.transfers.map((moved) => tokenOf(sent, moved)),
    }),
  ])
}

/** CAIP-10; the native token's for an NFT, which no balance list holds. */
function tokenOf(sent: SentTransaction, { fungibleInfo }: ActivityTransfer): string {
  return fungibleInfo?.address ?? `${chainOf(sent)}:${NATIVE_TOKEN_ADDRESS}`
}

function swappingText(sent: SentTransaction): string {
  return toasts.swapping(soldText(sent), paidText(sent))
}

function isSwap({ transaction }: SentTransaction): boolean {
  return transaction.metadata.operationType === 'trade'
}

function chainOf({ transaction }: SentTransaction): CaipNetworkId {
  return transaction.metadata.chain as CaipNetworkId
}

function namespaceOf(sent: SentTransaction): Namespace {
  return chainOf(sent).split(':')[0] as Namespace
}
