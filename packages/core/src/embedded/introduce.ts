import { preferredAccountType } from '../chain/selectors.ts'
import type { EmbeddedAccountType, EmbeddedWallet, FrameTheme } from '../types/embeddedWallet.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'
import type { OptionsState } from '../types/options.ts'

/** Loads the frame, and sends it the site, its theme and its language. */
export async function introduce(hawser: Hawser, wallet: EmbeddedWallet): Promise<void> {
  await wallet.load()
  await Promise.all([wallet.syncDappData(dappData(hawser)), wallet.syncTheme(frameTheme(hawser))])
}

/** Returns the theme of the modal, and its current or future language. */
export function frameTheme({ theme, options }: Hawser): FrameTheme {
  const locale = tagOf(options.getState())
  return { ...theme.getState(), ...(locale && { locale }) }
}

/** Maximum length of a language that frames accept. */
const MAX_LENGTH = 35

/**
 * Returns the language to send to the frame. For `auto`, before the texts of the modal are loaded, the frame
 * chooses like the modal: from the visitor's languages, then that of the page.
 */
function tagOf({ locale }: OptionsState): string | undefined {
  if (locale !== 'auto') return typeof locale === 'object' ? locale.tag : locale
  const wanted = ['auto', globalThis.document?.documentElement.lang].filter(Boolean).join()
  return wanted.length > MAX_LENGTH ? 'auto' : wanted
}

function dappData({ options }: Hawser) {
  const { projectId, metadata, sdkType, sdkVersion } = options.getState()
  const { title = '' } = globalThis.document ?? {}
  const { origin = '', host = '' } = globalThis.location ?? {}
  return {
    projectId,
    metadata: { name: title || host, description: '', url: origin, icons: [], ...metadata },
    ...(sdkType && { sdkType }),
    ...(sdkVersion && { sdkVersion }),
  }
}

/** Returns the preferred type of account in a namespace; a type that an embedded wallet lacks is `eoa`. */
export function embeddedType(hawser: Hawser, namespace: Namespace): EmbeddedAccountType {
  return preferredAccountType(hawser, namespace) === 'smartAccount' ? 'smartAccount' : 'eoa'
}
