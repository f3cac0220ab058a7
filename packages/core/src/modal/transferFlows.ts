import type { Message } from '@hawser/texts/message'
import { pushed, reset } from '../router/history.ts'
import { goBack, pushView, resetView } from '../router/navigate.ts'
import { hideToast, showToast } from '../toast/toast.ts'
import type { SentTransaction } from '../types/activity.ts'
import type { Hawser } from '../types/hawser.ts'
import type { OwnedNft } from '../types/nft.ts'
import type { View } from '../types/router.ts'
import type { SwapArguments } from '../types/swap.ts'
import { offerRevocation } from './offerRevocation.ts'
import { isShown, showEnd, showFailure, showPending, showView, viewOf } from './show.ts'

/** What an action of a transfer or a swap did; see `Outcome`. A `message` is for the visitor. */
export type TransferOutcome =
  | { readonly kind: 'sendOpened' }
  | { readonly kind: 'nftSendOpened'; readonly nft: OwnedNft }
  /** A new send was requested while the wallet has not answered the last one. */
  | { readonly kind: 'sendPending' }
  /** The draft was discarded. */
  | { readonly kind: 'sendDropped' }
  | ({ readonly kind: 'sendDiscarded' } & Message)
  /** A receiver's name no longer resolves to the reviewed address. */
  | ({ readonly kind: 'receiverChanged' } & Message)
  | ({ readonly kind: 'sendStarted' } & Message)
  /** `isDropped`: the visitor discarded the draft before the wallet answered. */
  | ({ readonly kind: 'sendSucceeded'; readonly isDropped: boolean } & Message)
  | ({
      readonly kind: 'sendFailed'
      readonly isDeclined: boolean
      readonly isDropped: boolean
    } & Message)
  /** A transaction that may be a dangerous approval is followed. */
  | { readonly kind: 'sentFollowed'; readonly sent: SentTransaction }
  /** A transfer is in a block; `id` is that of its transaction. */
  | ({
      readonly kind: 'transactionMined'
      readonly id: string
      readonly hasSucceeded: boolean
    } & Message)
  /** No node knows a transfer or a swap any more, and it is in no block. */
  | ({ readonly kind: 'transactionDropped'; readonly id: string } & Message)
  | { readonly kind: 'swapOpened'; readonly swap: SwapArguments }
  /** The wallet prompts for one of the steps; `swapAnswered` ends the prompt. */
  | ({ readonly kind: 'swapPrompted' } & Message)
  | { readonly kind: 'swapAnswered' }
  /** The wallet sent the swap, which is the last sent transaction. */
  | { readonly kind: 'swapSent' }
  | ({ readonly kind: 'swapFailed'; readonly isDeclined: boolean } & Message)
  | ({ readonly kind: 'swapSubmitted' } & Message)
  /** The swap that `swapSubmitted` reported with this message is not in a block after a long time. */
  | ({ readonly kind: 'swapUnresolved' } & Message)

/** Shows the view and the toast that follow an outcome of a transfer or a swap. Apart from `follow`, so that it is loaded with them. */
export function reportTransfer(hawser: Hawser, outcome: TransferOutcome): void {
  switch (outcome.kind) {
    case 'sendOpened':
      showView(hawser, 'WalletSend')
      break
    case 'nftSendOpened':
      pushView(hawser, 'WalletSendNft', { nft: outcome.nft })
      break
    case 'sendPending':
      showView(hawser, 'WalletSendPreview')
      break
    case 'sendDropped':
      leaveSend(hawser)
      break
    case 'sendDiscarded':
      leaveSend(hawser)
      showToast(hawser, { ...outcome, variant: 'neutral' })
      break
    case 'receiverChanged':
      showToast(hawser, { ...outcome, variant: 'error' })
      if (viewOf(hawser) === 'WalletSendPreview') goBack(hawser)
      break
    case 'sendStarted':
      removeForm(hawser)
      hideToast(hawser)
      if (!isShown(hawser, 'WalletSendPreview')) showPending(hawser, outcome)
      break
    case 'sendSucceeded':
      if (!outcome.isDropped && isShown(hawser, 'WalletSendPreview')) showStatus(hawser)
      else showToast(hawser, { ...outcome, variant: 'success' })
      break
    case 'sendFailed':
      if (!outcome.isDropped) restoreForm(hawser)
      showFailure(hawser, outcome)
      break
    case 'sentFollowed':
      offerRevocation(hawser, outcome.sent)
      break
    case 'transactionMined':
      if (!isSentShown(hawser, outcome.id)) showEnd(hawser, outcome)
      break
    case 'transactionDropped':
      if (!isSentShown(hawser, outcome.id)) showEnd(hawser, { ...outcome, hasSucceeded: false })
      break

    case 'swapOpened':
      showView(hawser, 'Swap', { swap: outcome.swap })
      break
    case 'swapPrompted':
      hideToast(hawser)
      if (!isShown(hawser, 'SwapPreview')) showPending(hawser, outcome)
      break
    case 'swapAnswered':
      hideToast(hawser)
      break
    case 'swapSent':
      if (isShown(hawser, 'SwapPreview')) showStatus(hawser)
      break
    case 'swapFailed':
      showFailure(hawser, outcome)
      break
    case 'swapSubmitted':
      if (!isShown(hawser, 'TransactionStatus')) showPending(hawser, outcome)
      break
    case 'swapUnresolved':
      if (hawser.toast.getState().message === outcome.message) hideToast(hawser)
      break
  }
}

/** Shows the transaction that was just sent, on top of the account. */
function showStatus({ router }: Hawser): void {
  router.setState((state) => pushed(reset(state, 'Account'), 'TransactionStatus'))
}

function leaveSend(hawser: Hawser): void {
  if (viewOf(hawser).startsWith('WalletSend')) resetView(hawser, 'Account')
}

/** Removes the form from the preview's history: a draft must not be edited while the wallet is prompting. */
function removeForm(hawser: Hawser): void {
  hawser.router.setState((state) => {
    if (state.view !== 'WalletSendPreview') return state
    return { history: state.history.filter((view) => view !== 'WalletSend' && view !== 'WalletSendNft') }
  })
}

/** Makes the preview lead back to the form again. */
function restoreForm(hawser: Hawser): void {
  const form: View = hawser.send.getState().nft ? 'WalletSendNft' : 'WalletSend'
  hawser.router.setState((state) => {
    if (state.view !== 'WalletSendPreview') return state
    return { history: [...state.history.slice(0, -1), form, state.view] }
  })
}

function isSentShown(hawser: Hawser, id: string): boolean {
  return isShown(hawser, 'TransactionStatus') && hawser.send.getState().sent?.transaction.id === id
}
