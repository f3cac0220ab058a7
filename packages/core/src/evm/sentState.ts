import type { SentCall } from '../types/activity.ts'
import type { ReceiptStatus, SentState } from '../types/adapter.ts'
import type { NodeRequest } from '../types/environment.ts'
import { hexQuantity } from './evmCalls.ts'

/** Blocks before the first look that are searched too: nodes behind one URL may differ by some. */
const SEARCH_MARGIN = 8

/** The fields that are read of a transaction (EIP-1474). */
interface Transaction {
  readonly hash: string
  readonly from: string
  readonly to: string | null
  readonly nonce: string
  readonly value: string
  readonly input: string
}

/** The fields that are read of a transaction receipt (EIP-1474). */
interface Receipt {
  readonly transactionHash?: string
  readonly status?: string
}

/** Returns the outcome in the receipt of a transaction; `pending` without one. */
export async function receiptStatus(
  node: NodeRequest,
  hash: string,
  signal?: AbortSignal,
): Promise<ReceiptStatus> {
  const receipt = (await node('eth_getTransactionReceipt', [hash], signal)) as Receipt | null
  // Another transaction's receipt says nothing about this one; the caller polls again.
  if (!receipt?.transactionHash || !isSame(receipt.transactionHash, hash)) return 'pending'
  return receipt.status === '0x0' ? 'reverted' : 'success'
}

/**
 * Reads how a transaction without a receipt stands. Once its nonce is used, the transaction that used it says what became
 * of this one. viem's `waitForTransactionReceipt` decides by the same fields, but only in blocks that it sees while it
 * waits: a reload of the page or a sleeping computer hides a replacement from it.
 *
 * It is `pending` as long as that is not certain: of a transaction that no node has shown, as one that the wallet sends
 * past the public nodes; of one that another account carries, as for a contract account; and while no node tells which
 * transaction used the nonce.
 *
 * @param before what the last look returned.
 * @throws the node's error.
 */
export async function sentState(node: NodeRequest, hash: string, before: SentCall): Promise<SentState> {
  // The height is read first: at it, a nonce that is unused afterwards was unused too.
  const height = Number(await node('eth_blockNumber', []))
  const shown = (await node('eth_getTransactionByHash', [hash])) as Transaction | null
  const isShown = shown !== null && isSame(shown.hash, hash)
  if (isShown && !isSame(shown.from, before.from)) return { status: 'pending', hash, call: before }
  const call = isShown ? { ...before, ...callOf(shown) } : before
  const { nonce } = call
  if (nonce === undefined) return { status: 'pending', hash, call }
  const isUsed = (await nextNonce(node, call.from, 'latest')) > nonce
  const since = (isUsed ? call.sinceBlock : undefined) ?? Math.max(0, height - SEARCH_MARGIN)
  const known = { ...call, sinceBlock: since }
  if (isUsed) return usedState(node, hash, known, nonce)
  const isWaiting = shown !== null || (await nextNonce(node, known.from, 'pending')) > nonce
  return { status: isWaiting ? 'pending' : 'unknown', hash, call: known }
}

function callOf({ from, to, value, input, nonce }: Transaction): Partial<SentCall> {
  return { from, to: to ?? '', value: String(BigInt(value)), data: input, nonce: Number(nonce) }
}

/** Returns the state of a transaction whose nonce is used. */
async function usedState(node: NodeRequest, hash: string, call: SentCall, nonce: number): Promise<SentState> {
  const user = await transactionWith(node, call, nonce)
  // An account with code uses nonces without transactions; nodes differ in their newest blocks, and in the states they keep.
  if (!user || isSame(user.hash, hash)) return { status: 'pending', hash, call }
  if (isSameCall(user, call)) return successor(node, user, call)
  const isCancel = isSame(user.to ?? '', user.from) && BigInt(user.value) === 0n && user.input === '0x'
  return { status: isCancel ? 'cancelled' : 'replaced', hash: user.hash, call }
}

/** Returns the state of the transaction that makes the same call in place of this one. */
async function successor(node: NodeRequest, { hash }: Transaction, call: SentCall): Promise<SentState> {
  return { status: await receiptStatus(node, hash), hash, call }
}

function isSameCall({ to, value, input }: Transaction, call: SentCall): boolean {
  return isSame(to ?? '', call.to) && BigInt(value) === BigInt(call.value) && isSame(input, call.data)
}

/** Finds the mined transaction that used a nonce; undefined if it is not among those of the block that used it. */
async function transactionWith(
  node: NodeRequest,
  { from, sinceBlock = 0 }: SentCall,
  nonce: number,
): Promise<Transaction | undefined> {
  let unused = sinceBlock
  let used = Number(await node('eth_blockNumber', []))
  while (used - unused > 1) {
    const middle = Math.floor((unused + used) / 2)
    // A node that lacks the state of a block has that of newer ones.
    const next = await nextNonce(node, from, hexHeight(middle)).catch(() => 0)
    if (next > nonce) used = middle
    else unused = middle
  }
  const block = (await node('eth_getBlockByNumber', [hexHeight(used), true])) as {
    transactions: readonly Transaction[]
  } | null
  return block?.transactions.find((each) => isSame(each.from, from) && Number(each.nonce) === nonce)
}

async function nextNonce(node: NodeRequest, address: string, block: string): Promise<number> {
  return Number(await node('eth_getTransactionCount', [address, block]))
}

function hexHeight(height: number): string {
  return hexQuantity(BigInt(height))
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
