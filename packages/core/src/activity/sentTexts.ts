import { shortenAddress } from '../account/account.ts'
import { shortAmount } from '../amounts/shortAmount.ts'
import { formatUnits } from '../amounts/units.ts'
import { toasts } from '../errors/catalogue.ts'
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

/** Returns the sold amount of a swap: "0.5 ETH". */
export function soldText({ transaction }: SentTransaction): string {
  const [sold] = transaction.transfers
  return sold ? movedText(sold, shortAmount) : ''
}

/**
 * Returns the bought amount of a swap: "1,000 tUSD".
 *
 * @param paid received base units, once known.
 */
export function paidText({ transaction }: SentTransaction, paid?: bigint): string {
  const [, bought] = transaction.transfers
  if (!bought) return ''
  const { fungibleInfo: info } = bought
  if (paid === undefined || !info) return movedText(bought, shortAmount)
  return movedText({ ...bought, quantity: { numeric: formatUnits(paid, info.decimals) } }, shortAmount)
}

function movedText(
  { quantity: { numeric }, fungibleInfo, nftInfo }: ActivityTransfer,
  amountText: (amount: string) => string,
): string {
  if (fungibleInfo) return `${amountText(numeric)} ${fungibleInfo.symbol}`
  const name = nftInfo?.name ?? ''
  return numeric === '1' ? name : `${numeric} ${name}`
}
