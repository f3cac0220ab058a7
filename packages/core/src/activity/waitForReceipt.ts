import { accessTo, adapterOf } from '../chain/adapters.ts'
import { RECEIPT_FIRST_POLL_MS, RECEIPT_SLOWEST_POLL_MS, RECEIPT_TIMEOUT_MS } from '../limits.ts'
import type { ReceiptStatus } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'

/**
 * Polls until a transaction is in a block: at growing intervals, and at once when the gateway pushes a change of the
 * account. Never throws.
 *
 * @param patienceMs timeout in milliseconds.
 * @param lastBlock the last block height at which the transaction can be included, if it is known.
 * @returns `pending` after the timeout, when the outcome is still unknown.
 */
export async function waitForReceipt(
  hawser: Hawser,
  network: Pick<Network, 'caipNetworkId' | 'chainNamespace'>,
  hash: string,
  patienceMs = RECEIPT_TIMEOUT_MS,
  lastBlock?: string,
): Promise<ReceiptStatus> {
  const access = accessTo(hawser, network)
  const ask = async () => {
    const adapter = await adapterOf(hawser, network.chainNamespace)
    return adapter.receipt(access, hash, undefined, lastBlock)
  }
  return pollUntilSettled(hawser, ask, patienceMs)
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
