import { preferredAccountType } from '../account/account.ts'
import { raiseAlert } from '../alert/alert.ts'
import { selectNetwork } from '../chain/selectors.ts'
import { connect } from '../connection/connect.ts'
import { thrown } from '../errors/thrown.ts'
import { items } from '../storage/items.ts'
import type { Connector } from '../types/connector.ts'
import type { EmbeddedAccountType, EmbeddedWallet, FrameTheme, Social } from '../types/embeddedWallet.ts'
import type { Hawser } from '../types/hawser.ts'
import { embeddedConnector } from './logins.ts'

/** How long the frame may take for the first answer of a login, in milliseconds. */
const LOGIN_DEADLINE_MS = 30_000

/** @throws Error "Address or auth connector not found" on a site without an embedded wallet. */
export function requireEmbedded({
  connectors,
}: Hawser): Connector & Required<Pick<Connector, 'getEmbeddedWallet'>> {
  const connector = embeddedConnector(connectors.getState().allConnectors)
  if (!connector?.getEmbeddedWallet) throw new Error(thrown.addressOrAuthNotFound)
  return { ...connector, getEmbeddedWallet: connector.getEmbeddedWallet }
}

/** Returns the embedded wallet, whose code is loaded at first use; its frame may not be. */
export function embeddedWallet(hawser: Hawser): Promise<EmbeddedWallet> {
  return requireEmbedded(hawser).getEmbeddedWallet()
}

/**
 * Sends the first request of a login, with the site and its theme.
 *
 * @throws Error of the wallet; "Something went wrong" after 30 seconds, or "Unable to load email login dependency" when
 *   the frame cannot be loaded. Both raise the alert "Invalid App Configuration".
 */
export async function startLogin<T>(
  hawser: Hawser,
  request: (wallet: EmbeddedWallet) => Promise<T>,
): Promise<T> {
  const wallet = await embeddedWallet(hawser)
  const late = new Error(thrown.loginTimeout)
  let cancel: () => void = () => undefined
  const deadline = new Promise<never>((_, reject) => {
    cancel = hawser.clock.after(LOGIN_DEADLINE_MS, () => reject(late))
  })
  try {
    return await Promise.race([introduce(hawser, wallet).then(() => request(wallet)), deadline])
  } catch (error) {
    const isUnloaded = error instanceof Error && error.message === thrown.emailLoginUnavailable
    if (error === late || isUnloaded) raiseAlert(hawser, 'socialsTimeout')
    throw error
  } finally {
    cancel()
  }
}

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

/** Connects the user who has just logged in, on the active network and with the preferred type of account. */
export async function connectUser(hawser: Hawser, social?: Social): Promise<void> {
  const connector = requireEmbedded(hawser)
  const wallet = await connector.getEmbeddedWallet()
  const chainId = selectNetwork(hawser.chain.getState(), connector.chain)?.caipNetworkId
  const type = embeddedType(hawser, connector.chain)
  hawser.storage.remove(items.lastEmailLogin)
  if (social) hawser.storage.write(items.connectedSocial, social)
  else hawser.storage.remove(items.connectedSocial)
  await wallet.getUser({ ...(chainId && { chainId }), preferredAccountType: type })
  await connect(hawser, { connector })
}

/** Returns the preferred type of account in a namespace; a type that an embedded wallet lacks is `eoa`. */
export function embeddedType(hawser: Hawser, namespace: Connector['chain']): EmbeddedAccountType {
  return preferredAccountType(hawser, namespace) === 'smartAccount' ? 'smartAccount' : 'eoa'
}
