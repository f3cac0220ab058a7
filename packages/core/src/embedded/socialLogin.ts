import { toasts } from '@hawser/texts/en/toasts'
import { updateAccount } from '../chain/chainState.ts'
import { selectAccount } from '../chain/selectors.ts'
import { failure, MessageError } from '../errors/thrownMessages.ts'
import { errorMessage } from '../errors/walletErrors.ts'
import { reportLogin } from '../modal/loginFlows.ts'
import { isPopupUrl, openPopup } from '../popup/popup.ts'
import type { Social, SocialProvider } from '../types/embeddedWallet.ts'
import type { Hawser } from '../types/hawser.ts'
import { isRefusedBecause, loginMessage } from './loginMessage.ts'
import { connectUser, embeddedWallet, requireEmbedded, startLogin } from './wallet.ts'

/**
 * Selects a social login. Call it in a click handler: the window of its provider is opened at once, because browsers
 * block it later.
 */
export function selectSocial(hawser: Hawser, social: Social): void {
  hawser.events.emit({ event: 'SOCIAL_LOGIN_STARTED', properties: { provider: social } })
  const socialWindow = social === 'farcaster' ? undefined : openSocialWindow(hawser)
  setSocial(hawser, { socialProvider: social, socialWindow })
  reportLogin(hawser, { kind: 'socialSelected', social })
}

function openSocialWindow({ clock }: Hawser) {
  return openPopup(`hawser-login-${clock.now()}`, toasts.openingLogin)
}

/** Interval at which the window is looked at, in milliseconds. */
const LOOK_MS = 1_000

/** The looks in a row that find the window closed before the visitor counts as having left. */
const LOOKS_UNTIL_LEFT = 3

/** The visitor cancelled a login at the provider. */
export class LoginCancelled extends Error {
  override readonly name = 'LoginCancelled'
}

/** The progress of a social login. */
export interface SocialProgress {
  /** The provider's page could not be opened; `open` does so, in a click handler. */
  blocked(open: () => void): void
  /** The window was closed, or the provider's page cut the connection to it; then the login goes on there. */
  closed?(): void
  /** The window has been closed for three seconds. The login still completes if it was only cut off. */
  left?(): void
  /** The provider has answered, and the account is being read. */
  retrieving(): void
}

/**
 * Logs in through the window that `selectSocial` opened. The login is complete once the provider has answered the
 * gateway, also if its page cut the connection to the window.
 *
 * @throws LoginCancelled when the visitor cancelled at the provider, or an Error whose message may be shown. A login
 *   that was left meanwhile never settles.
 */
export async function loginWithSocial(
  hawser: Hawser,
  provider: SocialProvider,
  progress: SocialProgress,
): Promise<void> {
  hawser.timers.cancel('social')
  const { isCurrent } = hawser.latest.begin('socialLogin')
  const properties = { provider }
  const looks = watchWindow(hawser, progress)
  try {
    const { uri } = await startLogin(hawser, (wallet) => wallet.getSocialRedirectUri(provider))
    if (!isCurrent()) return never()
    if (!isPopupUrl(uri, hawser.options.getState().baseUrl)) throw new MessageError(failure('loginFailed'))
    const { socialWindow } = embeddedAccount(hawser)
    if (socialWindow && !socialWindow.isClosed()) socialWindow.showWithOpener(uri)
    else progress.blocked(() => reopen(hawser, uri))
    const wallet = await embeddedWallet(hawser)
    await wallet.connectSocial(uri)
    if (!isCurrent()) return never()
    looks.stop()
    progress.retrieving()
    hawser.events.emit({ event: 'SOCIAL_LOGIN_REQUEST_USER_DATA', properties })
    await connectUser(hawser, provider)
    hawser.events.emit({ event: 'SOCIAL_LOGIN_SUCCESS', properties })
  } catch (error) {
    const isCancelled = isRefusedBecause(error, 'SOCIAL_CANCELED')
    if (!isCurrent()) return never()
    hawser.events.emit({ event: isCancelled ? 'SOCIAL_LOGIN_CANCELED' : 'SOCIAL_LOGIN_ERROR', properties })
    throw isCancelled ? new LoginCancelled() : error
  } finally {
    looks.stop()
    if (isCurrent()) closeSocialWindow(hawser)
  }
}

/** Looks at the window of a login until `stop` is called. */
function watchWindow(hawser: Hawser, progress: SocialProgress) {
  let closedLooks = 0
  let cancel: () => void = () => undefined
  function lookLater() {
    cancel = hawser.clock.after(LOOK_MS, () => {
      closedLooks = isSocialWindowClosed(hawser) ? closedLooks + 1 : 0
      if (closedLooks === 1) progress.closed?.()
      if (closedLooks === 1 + LOOKS_UNTIL_LEFT) progress.left?.()
      lookLater()
    })
  }
  lookLater()
  return { stop: () => cancel() }
}

function reopen(hawser: Hawser, uri: string): void {
  const socialWindow = openSocialWindow(hawser)
  setSocial(hawser, { socialWindow })
  socialWindow?.showWithOpener(uri)
}

/** Reports whether the window of a social login was closed, or its page cut the connection to it. */
export function isSocialWindowClosed(hawser: Hawser): boolean {
  return embeddedAccount(hawser).socialWindow?.isClosed() ?? false
}

/** Opens the window of another attempt at a social login. Call it in a click handler, before `loginWithSocial`. */
export function reopenSocial(hawser: Hawser): void {
  closeSocialWindow(hawser)
  setSocial(hawser, { socialWindow: openSocialWindow(hawser) })
}

/** Leaves a social login that is not complete, unless `loginWithSocial` is called again at once. */
export function leaveSocial(hawser: Hawser, social: SocialProvider): void {
  hawser.timers.set('social', 0, () => {
    hawser.latest.abandon('socialLogin')
    closeSocialWindow(hawser)
    if (embeddedAccount(hawser).status === 'connected') return
    hawser.events.emit({ event: 'SOCIAL_LOGIN_CANCELED', properties: { provider: social } })
    setSocial(hawser, { socialProvider: undefined })
  })
}

/** Starts a Farcaster login, and connects once it is approved in the app. Never throws: a failure is reported. */
export async function loginWithFarcaster(hawser: Hawser, progress: { retrieving(): void }): Promise<void> {
  hawser.timers.cancel('farcaster')
  const { isCurrent } = hawser.latest.begin('farcasterLogin')
  const properties = { provider: 'farcaster' } as const
  try {
    const { url } = await startLogin(hawser, (wallet) => wallet.getFarcasterUri())
    if (!isCurrent()) return
    setSocial(hawser, { farcasterUrl: url })
    const wallet = await embeddedWallet(hawser)
    await wallet.connectFarcaster()
    if (!isCurrent()) return
    progress.retrieving()
    hawser.events.emit({ event: 'SOCIAL_LOGIN_REQUEST_USER_DATA', properties })
    await connectUser(hawser, 'farcaster')
    hawser.events.emit({ event: 'SOCIAL_LOGIN_SUCCESS', properties })
  } catch (error) {
    if (!isCurrent()) return
    hawser.events.emit({ event: 'SOCIAL_LOGIN_ERROR', properties })
    reportLogin(hawser, { kind: 'socialFailed', ...loginMessage(error) })
  }
}

/** How long after leaving a Farcaster login the frame is loaded again, in milliseconds. */
const FARCASTER_RESET_MS = 100

/** Leaves a Farcaster login: one without an account resets the wallet after 100 ms. */
export function leaveFarcaster(hawser: Hawser): void {
  hawser.timers.set('farcaster', FARCASTER_RESET_MS, () => {
    if (embeddedAccount(hawser).status === 'connected') return
    hawser.latest.abandon('farcasterLogin')
    hawser.events.emit({ event: 'SOCIAL_LOGIN_CANCELED', properties: { provider: 'farcaster' } })
    setSocial(hawser, { farcasterUrl: undefined, socialProvider: undefined })
    void resetWallet(hawser)
  })
}

async function resetWallet(hawser: Hawser): Promise<void> {
  try {
    const wallet = await embeddedWallet(hawser)
    await wallet.reset()
  } catch (error) {
    hawser.log.write('warn', 'the embedded wallet was not reset', { error: errorMessage(error) })
  }
}

function closeSocialWindow(hawser: Hawser): void {
  embeddedAccount(hawser).socialWindow?.close()
  setSocial(hawser, { socialWindow: undefined })
}

function embeddedAccount(hawser: Hawser) {
  return selectAccount(hawser.chain.getState(), requireEmbedded(hawser).chain)
}

function setSocial(hawser: Hawser, change: Parameters<typeof updateAccount>[2]): void {
  updateAccount(hawser.chain, requireEmbedded(hawser).chain, change)
}

/** Returns the result of a login that was left, which never settles. */
function never(): Promise<never> {
  return new Promise(() => undefined)
}
