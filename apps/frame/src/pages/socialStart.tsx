import type { Language } from '@hawser/texts/frame/language'
import { connectVault } from '@hawser/vault'
import type { FrameConfig } from '../config.ts'
import { requestHandover } from '../handover.ts'
import { storeStartedLogin } from '../startedLogins.ts'
import { startVault } from '../vaultHost.ts'
import { mount } from './mount.tsx'

/**
 * Sends a popup to the provider of a login. If a frame of the page that opened the popup started the login, this is
 * stored for the callback page, which asks the visitor otherwise.
 */
export async function start({ projectId }: FrameConfig, loading: Promise<Language>): Promise<void> {
  const state = location.hash.slice(1)
  history.replaceState(undefined, '', location.pathname)
  let hasFailed = false
  const draw = async () => drawPage(await loading, hasFailed)
  draw()
  try {
    const uri = (await uriFromOpener(state)) ?? (await uriFromServer(projectId, state))
    // The provider has no access to the page that opened this one.
    window.opener = null
    location.replace(uri)
  } catch {
    hasFailed = true
    await draw()
  }
}

async function uriFromOpener(state: string): Promise<string | undefined> {
  const handover = await requestHandover()
  const started = handover && (await connectVault(handover.port, () => undefined).startedSocial(state))
  if (started) storeStartedLogin(state)
  return started?.uri
}

async function uriFromServer(projectId: string, state: string): Promise<string> {
  const { vault } = startVault({ projectId, pageOrigin: undefined }, () => undefined)
  const { uri = '' } = await vault.getSocialRequest(state)
  return uri
}

function drawPage(language: Language, hasFailed: boolean): void {
  const { popup, wait } = language.texts
  if (hasFailed) mount(language, popup.failed, <p role="alert">{popup.again}</p>)
  else mount(language, popup.signingIn, <p role="status">{wait}</p>)
}
