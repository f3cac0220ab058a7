import { fetchNativeBalance } from '../account/nativeBalance.ts'
import { activeOwner } from '../account/owner.ts'
import { fetchTokenBalance } from '../account/tokenBalance.ts'
import { settleSent } from '../activity/sentTransactions.ts'
import { askUntilSettled, waitForReceipt } from '../activity/waitForReceipt.ts'
import { shortAmount } from '../amounts/shortAmount.ts'
import { formatUnits } from '../amounts/units.ts'
import { adapterOf, nodeOf } from '../chain/adapters.ts'
import { RECEIPT_TIMEOUT_MS } from '../constants.ts'
import { toasts } from '../errors/catalogue.ts'
import { hideToast, showToast } from '../toast/toast.ts'
import type { ReceiptStatus } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'
import type { SwapOrder } from './order.ts'
import { isNativeSwapToken, plainAddress } from './tokens.ts'
import type { BuiltSwap } from './transaction.ts'

/** Says that the swap is under way, and how it ended once it is in a block. Never throws. */
export async function followSwap(
  hawser: Hawser,
  order: SwapOrder,
  swap: BuiltSwap,
  hash: string,
): Promise<void> {
  showUnderWay(hawser, order, swap)
  const outcome = await waitForReceipt(hawser, order.owner.network, hash, patience(hawser, swap))
  if (outcome !== 'pending') settleSent(hawser, hash, outcome === 'success' ? 'confirmed' : 'failed')
  await conclude(hawser, order, swap, { outcome, hash })
}

/** The same of a batch, which the wallet knows by an id of its own. Never throws. */
export async function followBatch(
  hawser: Hawser,
  order: SwapOrder,
  swap: BuiltSwap,
  batchId: string,
): Promise<void> {
  showUnderWay(hawser, order, swap)
  const contracts = await adapterOf(hawser, order.owner.network.chainNamespace).contracts()
  let hash = ''
  const ask = async () => {
    const batch = await contracts.batchStatus(order.session, batchId)
    hash = batch.hash ?? hash
    return batch.status
  }
  const outcome = await askUntilSettled(hawser, ask, patience(hawser, swap))
  await conclude(hawser, order, swap, { outcome, hash })
}

interface Ending {
  readonly outcome: ReceiptStatus
  readonly hash: string
}

async function conclude(
  hawser: Hawser,
  order: SwapOrder,
  swap: BuiltSwap,
  { outcome, hash }: Ending,
): Promise<void> {
  if (outcome === 'success') {
    const paid = { ...swap, toAmount: (await readPaid(hawser, order, hash)) ?? swap.toAmount }
    showToast(hawser, { message: toasts.swapped(...told(order, paid)), variant: 'success' })
    hawser.events.emit({ event: 'SWAP_SUCCESS', properties: { ...order.properties, hash } })
  } else if (outcome === 'reverted') {
    showToast(hawser, { message: toasts.transactionReverted, variant: 'error' })
    const properties = { ...order.properties, message: toasts.transactionReverted }
    hawser.events.emit({ event: 'SWAP_ERROR', properties })
  } else {
    // It may still be mined: the account's history will tell.
    if (hawser.toast.getState().message === toasts.swapping(...told(order, swap))) hideToast(hawser)
    return
  }
  await refreshBalances(hawser, order)
}

/** What came, as the block says; undefined for the own currency, of which a receipt tells nothing. */
async function readPaid(
  hawser: Hawser,
  { owner, toToken }: SwapOrder,
  hash: string,
): Promise<bigint | undefined> {
  if (isNativeSwapToken(toToken)) return undefined
  try {
    const contracts = await adapterOf(hawser, owner.network.chainNamespace).contracts()
    const token = plainAddress(toToken.address)
    const paid = await contracts.received(nodeOf(hawser, owner.network), hash, token, owner.address)
    return paid && paid > 0n ? paid : undefined
  } catch {
    return undefined
  }
}

async function refreshBalances(hawser: Hawser, { owner, quote }: SwapOrder): Promise<void> {
  if (activeOwner(hawser)?.caipAddress !== owner.caipAddress) return
  await Promise.all([
    fetchNativeBalance(hawser, { afresh: true }),
    fetchTokenBalance(hawser, { forceUpdate: [quote.from, quote.to] }),
  ])
}

function showUnderWay(hawser: Hawser, order: SwapOrder, swap: BuiltSwap): void {
  showToast(hawser, { message: toasts.swapping(...told(order, swap)), variant: 'loading', autoClose: false })
}

function told({ sourceToken, toToken }: SwapOrder, { toAmount }: BuiltSwap): [string, string, string] {
  return [sourceToken.symbol, shortAmount(formatUnits(toAmount, toToken.decimals)), toToken.symbol]
}

/** As long as it can still be mined, and some time for that to be told. */
function patience(hawser: Hawser, { deadline }: BuiltSwap): number {
  return Math.max(0, Number(deadline) * 1_000 - hawser.clock.now()) + RECEIPT_TIMEOUT_MS
}
