import type { DeepLink } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import { closeModal, openModal } from './modal.ts'
import { isOpen } from './show.ts'

/** What happened to a wallet outside this page, or to a page in the browser of a wallet. */
export type WalletOutcome =
  /** A link of the modal opened this page in the browser of a wallet. */
  | { readonly kind: 'arrived' }
  /** The page of a wallet does not answer a request: it is to be opened again. */
  | { readonly kind: 'walletSilent'; readonly wallet: DeepLink }
  | { readonly kind: 'walletAnswered' }

/** Shows what follows an outcome about a wallet that is elsewhere: like `follow`, and loaded with its features. */
export function reportWallet(hawser: Hawser, outcome: WalletOutcome): void {
  const isOpenedForIt = hawser.connection.getState().silentWallet?.isOpenedForIt
  switch (outcome.kind) {
    case 'arrived':
      if (!isOpen(hawser)) openModal(hawser)
      break
    case 'walletSilent':
      hawser.connection.setState({ silentWallet: { ...outcome.wallet, isOpenedForIt: !isOpen(hawser) } })
      if (!isOpen(hawser)) openModal(hawser)
      break
    case 'walletAnswered':
      hawser.connection.setState({ silentWallet: undefined })
      if (isOpenedForIt && isOpen(hawser)) closeModal(hawser)
      break
  }
}
