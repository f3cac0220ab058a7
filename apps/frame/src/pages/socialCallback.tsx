import type { FrameConfig } from '../config.ts'
import type { Language } from '../locale/language.ts'
import { startVault } from '../vaultHost.ts'
import { mount } from './mount.tsx'

/** What a provider may add to the address of the page. */
const parameters = ['state', 'code', 'iss', 'error', 'user']

type State = 'signingIn' | 'signedIn' | 'failed'

/** Ends a login at a provider, on the server; the frame that started it learns of it there. */
export async function start({ projectId }: FrameConfig, loading: Promise<Language>): Promise<void> {
  const query = new URLSearchParams(location.search)
  // Some providers post their answer, which the server moves into the fragment.
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) query.set(name, value)
  history.replaceState(undefined, '', location.pathname)
  let state: State = 'signingIn'
  const draw = async () => drawState(await loading, state)
  draw()
  try {
    const { vault } = startVault({ projectId, pageOrigin: undefined }, () => undefined)
    const { site } = await vault.finishSocial(
      Object.fromEntries(parameters.map((name) => [name, query.get(name) ?? ''])),
    )
    state = 'signedIn'
    // Older SDKs wait for this message. The page may have no opener: providers cut it.
    window.opener?.postMessage({ resultUri: `${location.origin}${location.pathname}` }, site)
    window.close()
  } catch {
    state = 'failed'
  }
  await draw()
}

function drawState(language: Language, state: State): void {
  const { popup, wait } = language.texts
  if (state === 'signingIn') mount(language, popup.signingIn, <p role="status">{wait}</p>)
  else if (state === 'signedIn') mount(language, popup.signedIn, <p>{popup.close}</p>)
  else mount(language, popup.failed, <p role="alert">{popup.again}</p>)
}
