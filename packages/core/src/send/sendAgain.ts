import { activeOwner } from '../account/owner.ts'
import { isSwap } from '../activity/sentTexts.ts'
import { selectAccount } from '../chain/selectors.ts'
import { openSwap } from '../swap/edit.ts'
import type { SentTransaction } from '../types/activity.ts'
import type { Hawser } from '../types/hawser.ts'
import { openSend, setSendAmount } from './edit.ts'
import { isSending } from './lock.ts'
import { setReceiver } from './receiver.ts'

/**
 * Reports whether the active account can send a transaction once more. A dropped one it cannot: the wallet may still send
 * it, and both would be paid.
 */
export function canSendAgain(hawser: Hawser, { owner, transaction, change }: SentTransaction): boolean {
  if (change !== 'expired') return false
  return owner === activeOwner(hawser)?.caipAddress && transaction.transfers[0]?.fungibleInfo !== undefined
}

/** Opens the form of a transfer or a swap with what was sent. The wallet is prompted after the review as usual. */
export function sendAgain(hawser: Hawser, sent: SentTransaction): void {
  const [given, received] = sent.transaction.transfers
  if (!given?.fungibleInfo) return
  const { quantity, fungibleInfo: info } = given
  if (isSwap(sent)) {
    const bought = received?.fungibleInfo
    openSwap(hawser, {
      fromToken: info.address ?? info.symbol,
      toToken: bought?.address ?? bought?.symbol ?? '',
      amount: quantity.numeric,
    })
    return
  }
  const tokens = selectAccount(hawser.chain.getState()).tokenBalance
  const token = tokens.find(({ address }) => address?.toLowerCase() === info.address?.toLowerCase())
  if (!token || isSending(hawser.send.getState())) return
  openSend(hawser, { token })
  setSendAmount(hawser, quantity.numeric)
  void setReceiver(hawser, sent.receiverName ?? given.recipient)
}
