import { adapterOf, nodeOf } from '../chain/adapters.ts'
import { RECEIPT_FIRST_POLL_MS, RECEIPT_SLOWEST_POLL_MS, RECEIPT_TIMEOUT_MS } from '../constants.ts'
import type { ReceiptStatus } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'

/**
 * Waits until a transaction is in a block: asks less and less often, and at once when the gateway tells of a change of
 * the account. Never throws.
 *
 * @param patienceMs how long.
 * @returns `pending` when it was not in a block by then, which says nothing of how it will end.
 */
export async function waitForReceipt(
  hawser: Hawser,
  network: Pick<Network, 'caipNetworkId' | 'chainNamespace'>,
  hash: string,
  patienceMs = RECEIPT_TIMEOUT_MS,
): Promise<ReceiptStatus> {
  const adapter = adapterOf(hawser, network.chainNamespace)
  const node = nodeOf(hawser, network)
  return askUntilSettled(hawser, () => adapter.receipt(node, hash), patienceMs)
}

/** Asks in the rhythm of `waitForReceipt`; a question that fails is asked again. */
export async function askUntilSettled(
  hawser: Hawser,
  ask: () => Promise<ReceiptStatus>,
  patienceMs: number,
): Promise<ReceiptStatus> {
  const giveUpAt = hawser.clock.now() + patienceMs
  for (let wait = RECEIPT_FIRST_POLL_MS; hawser.clock.now() < giveUpAt; wait *= 1.5) {
    const status = await ask().catch(() => 'pending' as const)
    if (status !== 'pending') return status
    await nextLook(hawser, Math.min(wait, RECEIPT_SLOWEST_POLL_MS))
  }
  return 'pending'
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
