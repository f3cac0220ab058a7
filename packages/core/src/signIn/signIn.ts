import type { SiwxSession } from '@hawser/siwe'
import { isSmartAccount } from '../account/account.ts'
import { activeOwner } from '../account/owner.ts'
import { adapterOf } from '../chain/adapters.ts'
import { isActiveNetworkRequested } from '../chain/selectors.ts'
import { disconnect } from '../connection/disconnect.ts'
import { toast } from '../errors/messages.ts'
import { errorMessage } from '../errors/walletErrors.ts'
import { isUserRejection } from '../errors/walletFailure.ts'
import type { Hawser } from '../types/hawser.ts'
import { initialSignIn } from './initialSignIn.ts'

/**
 * Reads whether the active account is signed in, and reports that it has to sign in if not. Does nothing without the
 * option `siwx`, or on a network that the site does not list. Never throws: when the sessions cannot be read, an
 * account that has to sign in is disconnected.
 */
export async function checkSignIn(hawser: Hawser): Promise<void> {
  const { siwx } = hawser
  const { isCurrent } = hawser.latest.begin('signIn')
  const owner = activeOwner(hawser)
  if (!siwx || !owner || !isActiveNetworkRequested(hawser.chain.getState())) {
    hawser.signIn.setState(initialSignIn)
    if (owner) hawser.report({ kind: 'signInSkipped' })
    return
  }
  const isRequired = siwx.getRequired?.() ?? true
  hawser.signIn.setState({ status: 'checking', isRequired, session: undefined })
  try {
    const [session] = await siwx.getSessions(owner.network.caipNetworkId, owner.address)
    if (!isCurrent()) return
    if (session) signedIn(hawser, session)
    else {
      hawser.signIn.setState({ status: 'needed' })
      hawser.report({ kind: 'signInNeeded' })
    }
  } catch (error) {
    if (!isCurrent()) return
    hawser.log.write('warn', 'the sign-in sessions could not be read', { error: errorMessage(error) })
    hawser.signIn.setState({ status: 'needed' })
    emit(hawser, 'SIWX_AUTH_ERROR')
    hawser.report({ kind: 'signInUnavailable', ...toast('signInUnavailable') })
    if (isRequired) await disconnect(hawser)
  }
}

/**
 * Signs the active account in with the wallet. Never throws: a failure is reported, and can be tried again. Does
 * nothing unless the account has to sign in.
 */
export async function signIn(hawser: Hawser): Promise<void> {
  const { siwx } = hawser
  const owner = activeOwner(hawser)
  const wallet = owner && hawser.sessions.get(owner.network.chainNamespace)
  if (!siwx || !owner || !wallet || hawser.signIn.getState().status !== 'needed') return
  const { isCurrent } = hawser.latest.begin('signIn')
  emit(hawser, 'CLICK_SIGN_SIWX_MESSAGE')
  hawser.signIn.setState({ status: 'signing' })
  const { address: accountAddress, network } = owner
  const chainId = network.caipNetworkId
  try {
    const data = await siwx.createMessage({ chainId, accountAddress })
    const message = data.toString()
    const adapter = await adapterOf(hawser, network.chainNamespace)
    const signature = await adapter.signMessage(wallet, accountAddress, message, chainId)
    if (!isCurrent()) return
    const session = { data, message, signature }
    await siwx.addSession(session)
    if (!isCurrent()) return
    emit(hawser, 'SIWX_AUTH_SUCCESS')
    signedIn(hawser, session)
  } catch (error) {
    if (!isCurrent()) return
    hawser.signIn.setState({ status: 'needed' })
    emit(hawser, 'SIWX_AUTH_ERROR')
    const isDeclined = isUserRejection(error)
    const failed = isSmartAccount(hawser) ? toast('smartAccountSignInFailed') : toast('signInFailed')
    const text = isDeclined ? toast('signatureDeclined') : failed
    hawser.report({ kind: 'signInFailed', ...text, isDeclined })
  }
}

/** Leaves the sign-in: an account that has to sign in is disconnected. */
export async function cancelSignIn(hawser: Hawser): Promise<void> {
  emit(hawser, 'CLICK_CANCEL_SIWX')
  const { isRequired, status } = hawser.signIn.getState()
  if (status === 'cancelling') return
  hawser.latest.abandon('signIn')
  if (isRequired) {
    hawser.signIn.setState({ status: 'cancelling' })
    await disconnect(hawser)
  }
  if (hawser.signIn.getState().status !== 'off') hawser.signIn.setState({ status: 'needed' })
  hawser.report({ kind: 'signInCancelled' })
}

/** Ends all sessions. */
export async function signOut(hawser: Hawser): Promise<void> {
  await hawser.siwx?.setSessions([])
  await checkSignIn(hawser)
}

function signedIn(hawser: Hawser, session: SiwxSession): void {
  hawser.signIn.setState({ status: 'signedIn', session })
  hawser.report({ kind: 'signedIn' })
}

function emit(
  hawser: Hawser,
  event: 'SIWX_AUTH_SUCCESS' | 'SIWX_AUTH_ERROR' | 'CLICK_SIGN_SIWX_MESSAGE' | 'CLICK_CANCEL_SIWX',
): void {
  const network = hawser.chain.getState().activeCaipNetwork?.caipNetworkId ?? ''
  hawser.events.emit({ event, properties: { network, isSmartAccount: isSmartAccount(hawser) } })
}
