import { shortenAddress } from '../account/account.ts'
import { shortAmount } from '../amounts/shortAmount.ts'
import { formatUnits } from '../amounts/units.ts'
import { toasts } from '../errors/catalogue.ts'
import type { ActivityTransfer, SentTransaction } from '../types/activity.ts'

/**
 * "Sent 1.25 ETH to 0x3C44…93BC", or to the name that was typed.
 *
 * @param amountText how an amount is written.
 */
export function sentText({ transaction, receiverName }: SentTransaction, amountText = shortAmount): string {
  const [moved] = transaction.transfers
  if (!moved) return ''
  return toasts.sent(movedText(moved, amountText), receiverName ?? shortenAddress(moved.recipient))
}

/** What a swap takes: "0.5 ETH". */
export function soldText({ transaction }: SentTransaction): string {
  const [sold] = transaction.transfers
  return sold ? movedText(sold, shortAmount) : ''
}

/**
 * What a swap brings: "1,000 tUSD".
 *
 * @param paid base units that came, once that is known.
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
