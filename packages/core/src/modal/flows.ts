import { isNetworkRefused } from '../chain/selectors.ts'
import { goBackToIndex, pushView, resetView } from '../router/navigate.ts'
import { endFailure, hideToast } from '../toast/toast.ts'
import type { Connector } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import type { NoticeKind, Outcome } from '../types/outcomes.ts'
import type { View } from '../types/router.ts'
import { closeModal, openModal, setModalLoading } from './modal.ts'
import { isOpen, isShown, showEnd, showFailure, showPending, showView, viewOf } from './show.ts'

/**
 * Shows the view and the toast that follow an outcome. This is the only module that knows both what actions do and what
 * the modal shows: actions report outcomes and import neither router, modal nor toast.
 */
export function follow(hawser: Hawser, outcome: Outcome): void {
  switch (outcome.kind) {
    case 'failureEnded':
      endFailure(hawser, outcome.message)
      break

    case 'connectorSelected':
      pushView(hawser, connectingView(outcome.connector), { connector: outcome.connector })
      break
    case 'walletSelected':
      pushView(hawser, 'ConnectingWalletConnect', outcome.wallet && { wallet: outcome.wallet })
      break
    case 'connected':
      // A sign-in keeps the modal open until it is known whether the account has to.
      if (!isSignInChecked(hawser)) closeAfterConnecting(hawser)
      break
    case 'signInNeeded':
      showSignIn(hawser)
      break
    case 'signInSkipped':
      closeAfterConnecting(hawser)
      break
    case 'signedIn':
      leaveSignIn(hawser)
      closeAfterConnecting(hawser)
      break
    case 'authenticating':
      showPending(hawser, outcome)
      break
    case 'authenticated':
      hideToast(hawser)
      break
    case 'signInCancelled':
      leaveSignIn(hawser)
      break
    case 'signInFailed':
      showFailure(hawser, outcome)
      break
    case 'sessionEnded':
      closeIfOpen(hawser)
      break
    case 'disconnecting':
      setModalLoading(hawser, outcome.isPending, outcome.namespace)
      break
    case 'accountChanged':
      if (/^(WalletSend|RegisterAccountName|Name)/.test(viewOf(hawser))) resetView(hawser, 'Account')
      break

    case 'networkRefused':
      if (isOpen(hawser)) resetView(hawser, 'UnsupportedChain')
      else openModal(hawser, { view: 'UnsupportedChain' })
      break
    case 'networkAccepted':
      if (viewOf(hawser) === 'UnsupportedChain') closeIfOpen(hawser)
      break
    case 'networkSwitched':
      leaveSwitching(hawser)
      break

    // The type makes every outcome with a view a case above. Without one, all but a copied address are failures.
    default:
      showEnd(hawser, {
        ...outcome,
        hasSucceeded: (outcome.kind satisfies NoticeKind) === 'addressCopied',
      })
      break
  }
}

function leaveSwitching(hawser: Hawser): void {
  const { history, view } = hawser.router.getState()
  if (!isOpen(hawser)) return
  if (history.includes('UnsupportedChain')) {
    closeModal(hawser)
  } else if (isSwitching(view)) {
    returnFromSwitching(hawser, history.findIndex(isSwitching) - 1)
  }
}

/**
 * Goes back after a network switch. The switch dropped the send draft, so the views of the draft are skipped.
 */
function returnFromSwitching(hawser: Hawser, index: number): void {
  const target = hawser.router.getState().history[index]
  if (target?.startsWith('WalletSend')) resetView(hawser, 'Account')
  else goBackToIndex(hawser, index)
}

function isSwitching(view: View): boolean {
  return /^(Networks|Switch)/.test(view)
}

/**
 * Returns the view that connects a wallet. For a wallet of several namespaces, the visitor selects one there.
 */
function connectingView({ type }: Connector): View {
  return type === 'MULTI_CHAIN' ? 'ConnectingMultiChain' : 'ConnectingExternal'
}

/** Reports whether the sign-in of the account that was just connected is being read. */
function isSignInChecked({ signIn }: Hawser): boolean {
  return signIn.getState().status === 'checking'
}

function closeAfterConnecting(hawser: Hawser): void {
  if (!isRefused(hawser) && isConnecting(hawser)) closeModal(hawser)
}

function isConnecting(hawser: Hawser): boolean {
  return /^(Connect|EmailVerify)/.test(viewOf(hawser))
}

/** Shows the sign-in: in place of the views that connected the account, or on top of what is shown. */
function showSignIn(hawser: Hawser): void {
  if (isOpen(hawser) && isConnecting(hawser)) resetView(hawser, 'ConnectingSiwe')
  else showView(hawser, 'ConnectingSiwe')
}

/** Goes back to before the sign-in; closes the modal if it was opened for it. */
function leaveSignIn(hawser: Hawser): void {
  if (isShown(hawser, 'ConnectingSiwe'))
    goBackToIndex(hawser, hawser.router.getState().history.indexOf('ConnectingSiwe') - 1)
}

function closeIfOpen(hawser: Hawser): void {
  if (isOpen(hawser)) closeModal(hawser)
}

function isRefused(hawser: Hawser): boolean {
  return isNetworkRefused(hawser.chain.getState(), hawser.options.getState())
}
