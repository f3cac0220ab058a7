import { openModal } from '../modal/modal.ts'
import { pushView } from '../router/navigate.ts'
import type { Hawser } from '../types/hawser.ts'
import type { OwnedNft } from '../types/nft.ts'
import type { View } from '../types/router.ts'
import type { SendState } from '../types/state.ts'

/** True from the moment a draft is confirmed until the wallet has answered. */
export function isSending({ status }: Pick<SendState, 'status'>): boolean {
  return status === 'sending' || status === 'checking'
}

/** Leads back from the preview to where the draft began: what the wallet is asked for must not be edited meanwhile. */
export function lockDraft(hawser: Hawser): void {
  hawser.router.setState((state) => {
    if (state.view !== 'WalletSendPreview') return state
    return { history: state.history.filter((view) => view !== 'WalletSend' && view !== 'WalletSendNft') }
  })
}

/** Leads back from the preview to the form again. */
export function unlockDraft(hawser: Hawser): void {
  const form: View = hawser.send.getState().nft ? 'WalletSendNft' : 'WalletSend'
  hawser.router.setState((state) => {
    if (state.view !== 'WalletSendPreview') return state
    return { history: [...state.history.slice(0, -1), form, state.view] }
  })
}

/**
 * Shows the draft that the wallet is asked about, so that no other send begins before it has answered.
 *
 * @returns whether there is one.
 */
export function showWaitingSend(hawser: Hawser): boolean {
  if (!isSending(hawser.send.getState())) return false
  if (hawser.modal.getState().open) pushView(hawser, 'WalletSendPreview')
  else openModal(hawser, { view: 'WalletSendPreview' })
  return true
}

/** Whether the wallet did not send a draft, of the same NFT or of a token, so that it can be taken up again. */
export function isKeptDraft({ status, nft }: SendState, wanted?: OwnedNft): boolean {
  const isUnsent = status === 'declined' || status === 'error'
  return (
    isUnsent && nft?.tokenId === wanted?.tokenId && nft?.collection.address === wanted?.collection.address
  )
}
