import { accessTo, adapterOf, contractsOf } from '../chain/adapters.ts'
import { DOUBT_MS, RECEIPT_FIRST_POLL_MS, RECEIPT_SLOWEST_POLL_MS, RECEIPT_TIMEOUT_MS } from '../limits.ts'
import type { SentCall } from '../types/activity.ts'
import type { ReceiptStatus } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace, Network } from '../types/network.ts'

/** The least number of looks in which no node knows a transaction before that is said. */
const DOUBT_LOOKS = 3

/** A transaction that is waited for. */
export interface Awaited {
  readonly hash: string
  /** The last block height at which it can be included, if it is known. */
  readonly lastBlock?: string | undefined
  /** What it is known by when its hash changes, in namespaces where it can. */
  readonly call?: SentCall | undefined
}

/** How a transaction ended; `pending` when that is still unknown. */
export interface End {
  readonly outcome: ReceiptStatus
  /** Hash of the transaction that ended it. */
  readonly hash: string
}

export interface WaitOptions {
  /** Timeout in milliseconds; 2 minutes by default. */
  readonly patienceMs?: number
  /** Receives what a node showed of the transaction, once. */
  readonly onShown?: (call: SentCall) => void
  /** Receives whether no node has known the transaction for some minutes, when that changes. */
  readonly onDoubt?: (isUnknown: boolean) => void
}

/**
 * Polls until a transaction, or one that took its place, is in a block: at growing intervals, and at once when the
 * gateway pushes a change of the account. Never throws.
 */
export async function waitForReceipt(
  hawser: Hawser,
  network: Pick<Network, 'caipNetworkId' | 'chainNamespace'>,
  awaited: Awaited,
  { patienceMs = RECEIPT_TIMEOUT_MS, onShown, onDoubt }: WaitOptions = {},
): Promise<End> {
  const access = accessTo(hawser, network)
  let { call } = awaited
  let { hash } = awaited
  let since = { status: 'pending' as ReceiptStatus, at: 0 }
  let looks = 0
  let isDoubted: boolean | undefined

  async function look(): Promise<ReceiptStatus> {
    const adapter = await adapterOf(hawser, network.chainNamespace)
    hash = awaited.hash
    const status = await adapter.receipt(access, awaited.hash, undefined, awaited.lastBlock)
    if (status !== 'pending' || !call || !adapter.sentState) return status
    const state = await adapter.sentState(access, awaited.hash, call)
    if (call.nonce === undefined && state.call.nonce !== undefined) onShown?.(state.call)
    call = state.call
    hash = state.hash
    return state.status
  }

  const ask = async () => {
    const status = await look()
    const now = hawser.clock.now()
    looks = status === since.status ? looks + 1 : 1
    if (looks === 1) since = { status, at: now }
    // A computer that slept has looked once.
    const isUnknown = status === 'unknown' && looks >= DOUBT_LOOKS && now - since.at >= DOUBT_MS
    if (isUnknown !== isDoubted) onDoubt?.(isUnknown)
    isDoubted = isUnknown
    return status === 'unknown' ? 'pending' : status
  }
  return { outcome: await pollUntilSettled(hawser, ask, patienceMs), hash }
}

/**
 * Polls until a batch, which has its own id in the wallet, is in a block. Never throws.
 *
 * @param patienceMs timeout in milliseconds; 2 minutes by default.
 */
export async function waitForBatch(
  hawser: Hawser,
  namespace: Namespace,
  batch: string,
  patienceMs = RECEIPT_TIMEOUT_MS,
): Promise<End> {
  let hash = ''
  const ask = async () => {
    const session = hawser.sessions.get(namespace)
    if (!session) return 'pending'
    const contracts = await contractsOf(hawser, namespace)
    const status = await contracts.batchStatus(session, batch)
    hash = status.hash ?? hash
    return status.status
  }
  return { outcome: await pollUntilSettled(hawser, ask, patienceMs), hash }
}

/**
 * Polls at the intervals of `waitForReceipt`, and once after the timeout, because the computer may have slept. A
 * failed request counts as pending.
 */
export async function pollUntilSettled(
  hawser: Hawser,
  ask: () => Promise<ReceiptStatus>,
  patienceMs: number,
): Promise<ReceiptStatus> {
  const giveUpAt = hawser.clock.now() + patienceMs
  for (let wait = RECEIPT_FIRST_POLL_MS; ; wait *= 1.5) {
    const isLast = hawser.clock.now() >= giveUpAt
    const status = await ask().catch(() => 'pending' as const)
    if (status !== 'pending' || isLast) return status
    await nextLook(hawser, Math.min(wait, RECEIPT_SLOWEST_POLL_MS))
  }
}

function nextLook(hawser: Hawser, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      cancel()
      unsubscribe()
      resolve()
    }
    const cancel = hawser.clock.after(ms, look)
    const unsubscribe = hawser.push.subscribe((state, before) => {
      if (state.activityChanges !== before.activityChanges) look()
    })
  })
}
