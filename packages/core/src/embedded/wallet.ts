import { raiseAlert } from '../alert/alert.ts'
import { adapterOf } from '../chain/adapters.ts'
import { requireNetworkOf, selectNetwork } from '../chain/selectors.ts'
import { connect } from '../connection/connect.ts'
import { thrown } from '../errors/thrown.ts'
import { failure, MessageError } from '../errors/thrownMessages.ts'
import { errorMessage } from '../errors/walletErrors.ts'
import { items } from '../storage/items.ts'
import type { Connector } from '../types/connector.ts'
import type { EmbeddedWallet, Social } from '../types/embeddedWallet.ts'
import type { Hawser } from '../types/hawser.ts'
import { embeddedType, introduce } from './introduce.ts'
import { loginMessage } from './loginMessage.ts'
import { embeddedConnector } from './logins.ts'

/** How long the visitor waits for the frame, which goes on loading, in milliseconds. */
const FRAME_PATIENCE_MS = 5_000

/** How long the frame may take for the first answer of a login, in milliseconds. */
const LOGIN_DEADLINE_MS = 30_000

/**
 * Returns the connector of the embedded wallet.
 *
 * @throws Error "Address or auth connector not found" on a site without one.
 */
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
 *   the frame is not loaded after 5. Both raise the alert "Invalid App Configuration".
 */
export async function startLogin<T>(
  hawser: Hawser,
  request: (wallet: EmbeddedWallet) => Promise<T>,
): Promise<T> {
  const wallet = await embeddedWallet(hawser)
  const unloaded = new MessageError(failure('emailLoginUnavailable'))
  const late = new MessageError(failure('loginTimeout'))
  try {
    await before(hawser, FRAME_PATIENCE_MS, introduce(hawser, wallet), unloaded)
    return await before(hawser, LOGIN_DEADLINE_MS, request(wallet), late)
  } catch (error) {
    if (error === late || isFrameMissing(error)) raiseAlert(hawser, 'socialsTimeout')
    throw error
  }
}

/** Reports whether a login failed because its frame was not loaded. */
export function isFrameMissing(error: unknown): boolean {
  return ['thrown.emailLoginUnavailable', 'loginErrors.emailLoginUnavailable'].includes(
    loginMessage(error).key ?? '',
  )
}

/** Settles as `task` does, or rejects with `late` after `ms` milliseconds. */
async function before<T>({ clock }: Hawser, ms: number, task: Promise<T>, late: Error): Promise<T> {
  let cancel: () => void = () => undefined
  const deadline = new Promise<never>((_, reject) => {
    cancel = clock.after(ms, () => reject(late))
  })
  return Promise.race([task, deadline]).finally(() => cancel())
}

/** Connects the user who has just logged in, on the active network and with the preferred type of account. */
export async function connectUser(hawser: Hawser, social?: Social): Promise<void> {
  const connector = requireEmbedded(hawser)
  const wallet = await connector.getEmbeddedWallet()
  const chainId = selectNetwork(hawser.chain.getState(), connector.chain)?.caipNetworkId
  const type = embeddedType(hawser, connector.chain)
  hawser.storage.remove(items.lastEmailLogin)
  hawser.storage.remove(items.socialUserName)
  if (social) hawser.storage.write(items.connectedSocial, social)
  else hawser.storage.remove(items.connectedSocial)
  await wallet.getUser({ ...(chainId && { chainId }), preferredAccountType: type })
  const [active = connector, ...others] = entries(hawser)
  await connect(hawser, { connector: active })
  await Promise.all(others.map((other) => connectBeside(hawser, other)))
}

/** Returns the embedded wallet's entries, one per namespace; that of the active namespace first. */
function entries(hawser: Hawser): readonly Connector[] {
  const { activeChain } = hawser.chain.getState()
  const found = hawser.connectors.getState().allConnectors.filter(({ type }) => type === 'AUTH')
  return [
    ...found.filter(({ chain }) => chain === activeChain),
    ...found.filter(({ chain }) => chain !== activeChain),
  ]
}

/**
 * Connects the logged-in user on another namespace, which does not become the active one. One that has another wallet
 * keeps it. A failure is logged.
 */
async function connectBeside(hawser: Hawser, connector: Connector): Promise<void> {
  const session = hawser.sessions.get(connector.chain)
  if (session && session.connectorId !== connector.id) return
  try {
    const adapter = await adapterOf(hawser, connector.chain)
    const session = await adapter.reconnect(
      connector,
      requireNetworkOf(hawser.chain.getState(), connector.chain),
    )
    if (session) hawser.sessions.open({ connector, session, isActive: false })
  } catch (error) {
    const { chain: namespace } = connector
    hawser.log.write('warn', 'the embedded wallet is not connected', {
      namespace,
      error: errorMessage(error),
    })
  }
}
