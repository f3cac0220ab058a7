import type { AmountValue, Message } from '@hawser/texts/message'
import { shortenAddress } from '../address/shortenAddress.ts'
import { shortAmount } from '../amounts/shortAmount.ts'
import { toast } from '../errors/messages.ts'
import type { ActivityTransfer, SentTransaction } from '../types/activity.ts'

/**
 * Returns "Sent 1.25 ETH to 0x3C44Cd…4293BC", with the name of the receiver if one was typed.
 *
 * @param amountText formats an amount.
 */
export function sentText(sent: SentTransaction, amountText = shortAmount): string {
  return sentMessage(sent, amountText).message
}

/** Returns the text of {@link sentText} as a message; empty if nothing moved. */
export function sentMessage(
  { transaction, receiverName }: SentTransaction,
  amountText = shortAmount,
): Message {
  const [moved] = transaction.transfers
  if (!moved) return { message: '' }
  return toast('sent', movedValue(moved, amountText), receiverName ?? shortenAddress(moved.recipient))
}

/** Returns "Swapping 0.5 ETH for 1,000 tUSD", and "Swapped …" once the swap is in a block. */
export function swapText(sent: SentTransaction): string {
  return swapMessage(sent).message
}

/** Returns the text of {@link swapText} as a message. */
export function swapMessage({ transaction }: SentTransaction): Message {
  const [sold = '', bought = ''] = transaction.transfers.map((moved) => movedValue(moved, shortAmount))
  return toast(transaction.metadata.status === 'pending' ? 'swapping' : 'swapped', sold, bought)
}

/** Reports whether a sent transaction is a swap. */
export function isSwap({ transaction }: SentTransaction): boolean {
  return transaction.metadata.operationType === 'trade'
}

function movedValue(
  { quantity: { numeric }, fungibleInfo, nftInfo }: ActivityTransfer,
  amountText: (amount: string) => string,
): string | AmountValue {
  if (fungibleInfo) return { amount: amountText(numeric), unit: fungibleInfo.symbol }
  const name = nftInfo?.name ?? ''
  return numeric === '1' ? name : { amount: numeric, unit: name }
}
