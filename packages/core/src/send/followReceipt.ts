import { fetchNativeBalance } from '../account/nativeBalance.ts'
import { fetchTokenBalance } from '../account/tokenBalance.ts'
import { settleSent } from '../activity/sentTransactions.ts'
import { waitForReceipt } from '../activity/waitForReceipt.ts'
import { NATIVE_TOKEN_ADDRESS } from '../constants.ts'
import { toasts } from '../errors/catalogue.ts'
import { showToast } from '../toast/toast.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'

/**
 * Waits until a transaction is in a block, for at most two minutes, then reads the balances again. A transaction
 * that reverted is told in a toast. Never throws.
 *
 * @param tokenAddress contract of the token that was sent; absent for the native one.
 */
export async function followReceipt(
  hawser: Hawser,
  network: Network,
  hash: string,
  tokenAddress?: string,
): Promise<void> {
  const outcome = await waitForReceipt(hawser, network, hash)
  if (outcome === 'pending') return
  settleSent(hawser, hash, outcome === 'success' ? 'confirmed' : 'failed')
  if (outcome === 'reverted') showToast(hawser, { message: toasts.transactionReverted, variant: 'error' })
  if (hawser.chain.getState().activeCaipNetwork?.caipNetworkId !== network.caipNetworkId) return
  const token = `${network.caipNetworkId}:${tokenAddress ?? NATIVE_TOKEN_ADDRESS}`
  await Promise.all([
    fetchNativeBalance(hawser, { afresh: true }),
    fetchTokenBalance(hawser, { forceUpdate: [token] }),
  ])
}
