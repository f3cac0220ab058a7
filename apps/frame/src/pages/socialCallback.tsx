import type { Language } from '@hawser/texts/frame/language'
import type { Vault } from '@hawser/vault'
import type { FrameConfig } from '../config.ts'
import { fill } from '../locale/fill.tsx'
import { useTexts } from '../locale/useLanguage.ts'
import { providerName } from '../providerNames.ts'
import { takeStartedLogin } from '../startedLogins.ts'
import { startVault } from '../vaultHost.ts'
import { DeviceButtons, DeviceFacts } from './DeviceFacts.tsx'
import { mount } from './mount.tsx'

/** What a provider may add to the address of the page. */
const parameters = ['state', 'code', 'iss', 'error', 'user'] as const
/** The error of OAuth 2.0 for a login that the user denied (RFC 6749, section 4.1.2.1). */
const DENIED = 'access_denied'
/** What providers answer for a user who cancels; the second one is Apple's. */
const cancellations: readonly string[] = [DENIED, 'user_cancelled_authorize']

type Answer = Readonly<Record<(typeof parameters)[number], string>>

type SocialRequest = Awaited<ReturnType<Vault['getSocialRequest']>>

type State =
  | { readonly kind: 'signingIn' | 'signedIn' | 'denied' | 'failed' }
  | { readonly kind: 'asking'; readonly request: SocialRequest; decide(approve: boolean): void }

/**
 * Ends a login at a provider, on the server; the frame that started it learns of it there. Unless this browser
 * started the login, it asks first: an attacker may have sent the link, to have the attacker's device signed in.
 */
export async function start({ projectId }: FrameConfig, loading: Promise<Language>): Promise<void> {
  const query = new URLSearchParams(location.search)
  // Some providers post their answer, which the server moves into the fragment.
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) query.set(name, value)
  history.replaceState(undefined, '', location.pathname)
  const answer = Object.fromEntries(parameters.map((name) => [name, query.get(name) ?? ''])) as Answer
  const { vault } = startVault({ projectId, pageOrigin: undefined }, () => undefined)

  let state: State
  async function show(next: State) {
    state = next
    const language = await loading
    if (state === next) drawState(language, next)
  }

  async function finish() {
    show({ kind: 'signingIn' })
    const { site } = await vault.finishSocial(answer)
    // Older SDKs wait for this message. The page may have no opener: providers cut it.
    window.opener?.postMessage({ resultUri: `${location.origin}${location.pathname}` }, site)
    window.close()
    await show({ kind: 'signedIn' })
  }

  async function deny() {
    show({ kind: 'signingIn' })
    // The server answers that the login failed, as it should.
    await vault.finishSocial({ state: answer.state, error: DENIED }).catch(() => undefined)
    await show({ kind: 'denied' })
  }

  /** Closes the window of a user who cancelled, from which the page of the site learns that it was no failure. */
  async function cancel() {
    await deny()
    window.close()
  }

  const fail = () => show({ kind: 'failed' })

  async function ask() {
    show({ kind: 'signingIn' })
    const request = await vault.getSocialRequest(answer.state)
    const decide = (approve: boolean) => void (approve ? finish() : deny()).catch(fail)
    await show({ kind: 'asking', request, decide })
  }

  if (cancellations.includes(answer.error)) return cancel()
  const isKnown = answer.error !== '' || takeStartedLogin(answer.state)
  await (isKnown ? finish() : ask()).catch(fail)
}

function drawState(language: Language, state: State): void {
  const { device, popup, wait } = language.texts
  if (state.kind === 'asking') mount(language, popup.question, <Question {...state} />)
  else if (state.kind === 'signingIn') mount(language, popup.signingIn, <p role="status">{wait}</p>)
  else if (state.kind === 'signedIn') mount(language, popup.signedIn, <p>{popup.close}</p>)
  else if (state.kind === 'denied') mount(language, popup.failed, <p role="status">{device.denied}</p>)
  else mount(language, popup.failed, <p role="alert">{popup.again}</p>)
}

function Question({ request, decide }: Extract<State, { kind: 'asking' }>) {
  const { popup } = useTexts()
  return (
    <>
      <p>{fill(popup.request, { provider: providerName(request.provider ?? '') })}</p>
      <DeviceFacts {...request} />
      <DeviceButtons decide={decide} />
    </>
  )
}
