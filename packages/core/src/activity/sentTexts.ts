import { toasts } from '@hawser/texts/en/toasts'
import { shortenAddress } from '../account/account.ts'
import { shortAmount } from '../amounts/shortAmount.ts'
import type { ActivityTransfer, SentTransaction } from '../types/activity.ts'

/**
 * Returns "Sent 1.25 ETH to 0x3C44…93BC", with the name of the receiver if one was typed.
 *
 * @param amountText formats an amount.
 */
export function sentText({ transaction, receiverName }: SentTransaction, amountText = shortAmount): string {
  const [moved] = transaction.transfers
  if (!moved) return ''
  return toasts.sent(movedText(moved, amountText), receiverName ?? shortenAddress(moved.recipient))
}

/** Returns "Swapping 0.5 ETH for 1,000 tUSD", and "Swapped …" once the swap is in a block. */
export function swapText({ transaction }: SentTransaction): string {
  const [sold = '', bought = ''] = transaction.transfers.map((moved) => movedText(moved, shortAmount))
  return transaction.metadata.status === 'pending'
    ? toasts.swapping(sold, bought)
    : toasts.swapped(sold, bought)
}

/** Reports whether a sent transaction is a swap. */
export function isSwap({ transaction }: SentTransaction): boolean {
  return transaction.metadata.operationType === 'trade'
}

function movedText(
  { quantity: { numeric }, fungibleInfo, nftInfo }: ActivityTransfer,
  amountText: (amount: string) => string,
): string {
  if (fungibleInfo) return `${amountText(numeric)} ${fungibleInfo.symbol}`
  const name = nftInfo?.name ?? ''
  return numeric === '1' ? name : `${numeric} ${name}`
}
