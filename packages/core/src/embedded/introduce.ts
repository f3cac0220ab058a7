import { preferredAccountType } from '../chain/selectors.ts'
import type { EmbeddedAccountType, EmbeddedWallet, FrameTheme } from '../types/embeddedWallet.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'

/** Loads the frame, and sends it the site and its theme. */
export async function introduce(hawser: Hawser, wallet: EmbeddedWallet): Promise<void> {
  await wallet.load()
  await Promise.all([wallet.syncDappData(dappData(hawser)), wallet.syncTheme(frameTheme(hawser))])
}

export function frameTheme({ theme }: Hawser): FrameTheme {
  return theme.getState()
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
