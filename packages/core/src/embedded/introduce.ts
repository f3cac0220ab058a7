import { preferredAccountType } from '../chain/selectors.ts'
import type { EmbeddedAccountType, EmbeddedWallet, FrameTheme } from '../types/embeddedWallet.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'

/** Loads the frame, and sends it the site, its theme and its language. */
export async function introduce(hawser: Hawser, wallet: EmbeddedWallet): Promise<void> {
  await wallet.load()
  await Promise.all([wallet.syncDappData(dappData(hawser)), wallet.syncTheme(frameTheme(hawser))])
}

/** Returns the theme and the language of the modal. The language of `auto` is not known before it is loaded. */
export function frameTheme({ theme, options }: Hawser): FrameTheme {
  const { locale } = options.getState()
  const tag = typeof locale === 'object' ? locale.tag : locale
  return { ...theme.getState(), ...(tag && tag !== 'auto' && { locale: tag }) }
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
