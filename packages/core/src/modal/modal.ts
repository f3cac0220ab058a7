import { switchNamespace } from '../chain/activeNetwork.ts'
import { isNetworkRefused, selectAccount } from '../chain/selectors.ts'
import { MODAL_SHAKE_MS } from '../constants.ts'
import { reset } from '../router/history.ts'
import { hideToast } from '../toast/toast.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'
import type { RouterData, View } from '../types/router.ts'
import type { ModalState } from '../types/state.ts'
import type { SwapArguments } from '../types/swap.ts'

export const initialModal: ModalState = {
  open: false,
  loading: false,
  loadingNamespaceMap: new Map(),
  shake: false,
}

/** What the modal is opened on; the account or the wallets by default. */
export interface OpenModalOptions {
  readonly view?: View
  readonly data?: RouterData
  /** Initial values of the view Swap. */
  readonly arguments?: SwapArguments
  /** Makes this namespace the active one first. */
  readonly namespace?: Namespace
}

/** Opens the modal. It never waits for the network: views load their data after they are shown. */
export function openModal(hawser: Hawser, options: OpenModalOptions = {}): void {
  const { view, data, namespace, arguments: swap } = options
  if (namespace) switchNamespace(hawser, namespace)
  hawser.router.setState((state) => reset(state, view ?? startView(hawser), swap ? { ...data, swap } : data))
  hawser.modal.setState({ open: true })
  hawser.events.emit({ event: 'MODAL_OPEN', properties: { connected: isConnected(hawser) } })
}

/** Closes the modal unconditionally; see `requestCloseModal` for the close button. */
export function closeModal(hawser: Hawser): void {
  const wasOpen = hawser.modal.getState().open
  hawser.timers.cancel('shake')
  hawser.modal.setState(initialModal)
  leavePairing(hawser)
  hideToast(hawser)
  if (wasOpen) hawser.events.emit({ event: 'MODAL_CLOSE', properties: { connected: isConnected(hawser) } })
}

/** Stops offering a pairing, unless the visitor is in the wallet's app to approve it. */
function leavePairing({ connecting, connection }: Hawser): void {
  if (!connection.getState().wcLinking) connecting.pairing?.cancel()
  connection.setState({ wcUri: undefined, wcPairingExpiry: undefined })
}

/**
 * Handles the close button, the overlay and Escape. UnsupportedChain, and ConnectingSiwe for an account that has to sign
 * in, shake instead of closing.
 */
export function requestCloseModal(hawser: Hawser): void {
  const { view } = hawser.router.getState()
  const { isRequired } = hawser.signIn.getState()
  if (view === 'UnsupportedChain' || (view === 'ConnectingSiwe' && isRequired)) shakeModal(hawser)
  else closeModal(hawser)
}

/** Shakes the modal; ignored while it is shaking. */
export function shakeModal(hawser: Hawser): void {
  if (hawser.modal.getState().shake) return
  hawser.modal.setState({ shake: true })
  hawser.timers.set('shake', MODAL_SHAKE_MS, () => hawser.modal.setState({ shake: false }))
}

export function setModalLoading(hawser: Hawser, loading: boolean, namespace?: Namespace): void {
  hawser.modal.setState(({ loadingNamespaceMap }) => ({
    loading,
    loadingNamespaceMap: namespace
      ? new Map(loadingNamespaceMap).set(namespace, loading)
      : loadingNamespaceMap,
  }))
}

function startView(hawser: Hawser): View {
  if (!isConnected(hawser))
    return hawser.options.getState().wcBasic ? 'ConnectingWalletConnectBasic' : 'Connect'
  return isNetworkRefused(hawser.chain.getState(), hawser.options.getState()) ? 'UnsupportedChain' : 'Account'
}

function isConnected(hawser: Hawser): boolean {
  return selectAccount(hawser.chain.getState()).address !== undefined
}
