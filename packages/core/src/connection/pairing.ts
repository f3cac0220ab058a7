import { adapterOf } from '../chain/adapters.ts'
import { requireNetworkOf, selectNetwork, selectRequestedNetworks } from '../chain/selectors.ts'
import { rememberRecentWallet } from '../connectors/recentWallets.ts'
import { ConnectError, errorMessage } from '../errors/walletErrors.ts'
import { BUFFERING_MS, PAIRING_LIFETIME_MS, PAIRING_MARGIN_MS } from '../limits.ts'
import { authenticationFor, takeCacaos } from '../signIn/oneClick.ts'
import { items } from '../storage/items.ts'
import type { Connected } from '../types/account.ts'
import type {
  Connector,
  Handoff,
  Pairing,
  PairingLinks,
  PairOptions,
  RecentWallet,
} from '../types/connector.ts'
import type { Hawser, Login, PairingAttempt } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import {
  asConnectError,
  connectedOn,
  hideConnecting,
  restoreAccountStatus,
  restoreStatus,
  showConnecting,
} from './connect.ts'
import { isInTelegram, openApp, pairingUrl } from './deepLink.ts'
import { endHandoff, followHandoff } from './handoff.ts'

export interface PairWalletOptions {
  /** Of type WALLET_CONNECT. */
  readonly connector: Connector
  /** The wallet of the directory that was chosen; undefined when any wallet may scan the code. */
  readonly wallet?: RecentWallet | undefined
  /** Hands over to a page in the browser of the wallet instead, whose URL is `wcUri` then. */
  readonly isHandoff?: boolean
}

/**
 * Offers a pairing to wallets, as `wcUri`, and connects the first that approves it. Concurrent calls share one attempt.
 * A call after the pairing expired offers another one in the same attempt, because a visitor may still be approving
 * the first.
 *
 * @throws ConnectError
 */
export function pair(
  hawser: Hawser,
  { connector, wallet, isHandoff = false }: PairWalletOptions,
): Promise<Connected> {
  hawser.connection.setState({ recentWallet: wallet })
  const { pairing } = hawser.connecting
  if (pairing?.connectorId === connector.id && pairing.isHandoff === isHandoff) {
    if (isPairingExpired(hawser)) pairing.offer()
    return pairing.connected
  }
  const attempt = startAttempt(hawser, connector, isHandoff)
  hawser.connecting.pairing = attempt
  return attempt.connected
}

/** Reports whether there is no pairing to offer, or it has less than ten seconds left. */
export function isPairingExpired(hawser: Hawser): boolean {
  const { wcPairingExpiry } = hawser.connection.getState()
  return wcPairingExpiry === undefined || wcPairingExpiry - hawser.clock.now() <= PAIRING_MARGIN_MS
}

/** Stops offering a pairing. */
export function cancelPairing(hawser: Hawser): void {
  hawser.connecting.pairing?.cancel()
}

/**
 * Opens the app of a wallet with the pairing that is offered, and stores the link for the requests that follow. Has to
 * be called within a tap: iOS blocks it otherwise. Does nothing without a pairing or a link.
 */
export function openWalletApp(
  hawser: Hawser,
  { name, links }: RecentWallet,
  platform: 'mobile' | 'desktop' | 'webapp' = 'mobile',
): void {
  const { wcUri } = hawser.connection.getState()
  const href = platform === 'mobile' ? mobileLink(links) : links?.[platform]
  if (!wcUri || !href) return
  const url = pairingUrl(href, wcUri)
  if (!url) {
    hawser.events.emit({ event: 'CONNECT_PROXY_ERROR', properties: { name } })
    hawser.connection.setState({ wcError: true })
    return
  }
  hawser.connection.setState({ wcLinking: { href, name }, wcError: false })
  openApp(url)
}

/**
 * Returns the link that opens a wallet's app. Telegram's browser does not open schemes of other apps, so the
 * universal link comes first there.
 */
function mobileLink(links: PairingLinks | undefined): string | undefined {
  return isInTelegram() ? (links?.universal ?? links?.mobile) : (links?.mobile ?? links?.universal)
}

/** Marks the return from a wallet's app, whose answer arrives once the page is connected to the relay again. */
export function startBuffering(hawser: Hawser): void {
  hawser.connection.setState({ buffering: true })
  hawser.timers.set('buffering', BUFFERING_MS, () => hawser.connection.setState({ buffering: false }))
}

function startAttempt(hawser: Hawser, connector: Connector, isHandoff: boolean): PairingAttempt {
  const { isCurrent, signal } = hawser.latest.begin('connect')
  const pairings = new Set<Pairing>()
  let isOffering = false
  let approve: (pairing: Pairing) => void = () => undefined
  let fail: (error: unknown) => void = () => undefined
  const approved = new Promise<Pairing>((resolve, reject) => {
    approve = resolve
    fail = reject
  })

  async function offer(): Promise<void> {
    if (isOffering) return
    isOffering = true
    hawser.connection.setState({ ...nothingOffered, wcError: false })
    try {
      const networks = networksToRequest(hawser, connector)
      const authentication = await authenticationFor(hawser, networks)
      const options = { networks, signal, ...(authentication && { authentication }) }
      const pairing = await startPairing(connector, options, isHandoff)
      isOffering = false
      if (!isCurrent()) return pairing.cancel()
      pairings.add(pairing)
      hawser.connection.setState({
        wcUri: pairing.uri,
        wcPairingExpiry: Math.min(pairing.expiresAt, hawser.clock.now() + PAIRING_LIFETIME_MS),
      })
      if ('digits' in pairing) followHandoff(hawser, pairing, isCurrent)
      await awaitApproval(pairing)
    } catch (error) {
      isOffering = false
      if (pairings.size === 0) fail(new ConnectError('unreachable', error))
    }
  }

  async function awaitApproval(pairing: Pairing): Promise<void> {
    try {
      await pairing.approval
      approve(pairing)
    } catch (error) {
      pairings.delete(pairing)
      if (codeOf(error) !== expired) fail(error)
      else if (pairings.size === 0 && !isOffering) fail(new ConnectError('expired', error))
    }
  }

  function cancel(): void {
    if (hawser.connecting.pairing === attempt) hawser.connecting.pairing = undefined
    fail(new ConnectError('superseded'))
    for (const pairing of pairings) pairing.cancel()
  }

  signal.addEventListener('abort', cancel)
  // Until a wallet approves, the visitor may only be reading the code.
  hideConnecting(hawser)
  void offer()
  const connected = approved.then(() => {
    if (isCurrent()) showConnecting(hawser, connector.chain)
    return finish(hawser, connector, isCurrent)
  })
  const attempt: PairingAttempt = {
    connectorId: connector.id,
    isHandoff,
    connected: connected.catch((error: unknown) => {
      throw reported(hawser, connector, asConnectError(error), isCurrent())
    }),
    offer: () => void offer(),
    cancel,
  }
  const settle = () => {
    signal.removeEventListener('abort', cancel)
    for (const pairing of pairings) pairing.cancel()
    if (hawser.connecting.pairing === attempt) hawser.connecting.pairing = undefined
  }
  attempt.connected.then(settle, settle)
  return attempt
}

const nothingOffered = { wcUri: undefined, wcPairingExpiry: undefined, handoff: undefined } as const

/** Code of a pairing that no wallet answered. */
const expired = 8000

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code
}

function startPairing(
  connector: Connector,
  options: PairOptions,
  isHandoff: boolean,
): Promise<Pairing | Handoff> {
  const started = isHandoff ? connector.handOff?.(options) : connector.pair?.(options)
  if (!started) throw new Error(`${connector.id} cannot be paired`)
  return started
}

/** Returns the site's networks in the namespaces that the connector pairs, the active one of each first. */
function networksToRequest(hawser: Hawser, connector: Connector): readonly Network[] {
  const state = hawser.chain.getState()
  return pairedConnectors(hawser, connector).flatMap(({ chain: namespace }) => {
    const active = selectNetwork(state, namespace)?.caipNetworkId
    const requested = selectRequestedNetworks(state, namespace)
    const isActive = ({ caipNetworkId }: Network) => caipNetworkId === active
    return [...requested.filter(isActive), ...requested.filter((network) => !isActive(network))]
  })
}

/**
 * Returns the entries of a connector, one per namespace of the pairing, that of the active namespace first.
 */
function pairedConnectors(hawser: Hawser, connector: Connector): readonly Connector[] {
  const { activeChain } = hawser.chain.getState()
  const entries = hawser.connectors.getState().allConnectors.filter(({ id }) => id === connector.id)
  const isActive = ({ chain }: Connector) => chain === activeChain
  return [...entries.filter(isActive), ...entries.filter((entry) => !isActive(entry))]
}

async function finish(hawser: Hawser, connector: Connector, isCurrent: () => boolean): Promise<Connected> {
  const approved = await connectEach(hawser, connector)
  const [first] = approved
  if (!first) throw new ConnectError('noAccounts')
  if (!isCurrent()) throw new ConnectError('superseded')
  await takeCacaos(hawser, first.session.relay?.cacaos)
  if (!isCurrent()) throw new ConnectError('superseded')
  if (!approved.some(({ entry }) => entry.chain === connector.chain))
    restoreAccountStatus(hawser, connector.chain)
  const by = endPairing(hawser, first.session.relay?.peer.name ?? connector.name)
  // In reverse, because the session that is opened last becomes the active one.
  for (const { entry, session } of [...approved].reverse())
    hawser.sessions.open({ connector: entry, session, ...(entry === first.entry && { by }) })
  return connectedOn(hawser, first.entry.chain)
}

/**
 * Opens the session of each namespace that the wallet approved. The other namespaces have no accounts.
 *
 * @throws the first failure if there is no session.
 */
async function connectEach(hawser: Hawser, connector: Connector) {
  const outcomes = await Promise.allSettled(
    pairedConnectors(hawser, connector).map(async (entry) => {
      const adapter = await adapterOf(hawser, entry.chain)
      const session = await adapter.connect(entry, requireNetworkOf(hawser.chain.getState(), entry.chain))
      return { entry, session }
    }),
  )
  const opened = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const approved = opened.filter(({ session }) => session.accounts.length > 0)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed && approved.length > 0) {
    hawser.log.write('warn', 'a namespace of the pairing failed', { error: String(failed.reason) })
  } else if (failed) throw failed.reason
  return approved
}

/** Stores the deep link and the recent wallet, and offers the pairing no longer. Returns how the wallet was paired. */
function endPairing(hawser: Hawser, peerName: string): NonNullable<Login['by']> {
  const { wcLinking, wcUri, recentWallet } = hawser.connection.getState()
  if (wcLinking) hawser.storage.write(items.deepLink, wcLinking)
  else hawser.storage.remove(items.deepLink)
  endHandoff(hawser, wcUri, recentWallet)
  if (recentWallet) rememberRecentWallet(hawser, recentWallet)
  hawser.connection.setState({ ...nothingOffered, buffering: false })
  return { method: wcLinking ? 'mobile' : 'qrcode', name: recentWallet?.name ?? peerName }
}

/** Shows a failed attempt, unless another one replaced it. */
function reported(
  hawser: Hawser,
  connector: Connector,
  error: ConnectError,
  isCurrent: boolean,
): ConnectError {
  if (error.kind === 'superseded' && !isCurrent) return error
  restoreStatus(hawser, connector)
  hawser.connection.setState({
    ...nothingOffered,
    wcError: error.kind !== 'superseded',
    buffering: false,
  })
  if (error.kind === 'superseded') return error
  hawser.events.emit({ event: 'CONNECT_ERROR', properties: { message: errorMessage(error.cause ?? error) } })
  return error
}
