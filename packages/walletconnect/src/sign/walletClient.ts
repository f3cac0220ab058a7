import type { WalletGateway } from '../handoff/gateway.ts'
import { type ClaimedHandoff, createWalletHandoffs } from '../handoff/walletHandoff.ts'
import type { Incoming } from './channel.ts'
import { type CoreOptions, createCore } from './core.ts'
import { SignError, signErrorCode } from './errors.ts'
import { PAIRING_SECONDS } from './methods.ts'
import type { ApprovedNamespaces } from './namespaces.ts'
import { parsePairingUri } from './pairingUri.ts'
import type { Session } from './session.ts'
import { receiveAuthentication } from './walletAuthentication.ts'
import type { WalletContext } from './walletContext.ts'
import type { WalletListener } from './walletListener.ts'
import { receiveProposal } from './walletProposal.ts'
import { receiveRequest } from './walletRequest.ts'
import { emitEvent, extendSession, updateSession } from './walletSessions.ts'

/** The Sign client of a wallet, the controller of its sessions. */
export interface WalletClient {
  sessions(): readonly Session[]
  /** Starts to listen for the proposal of a pairing. @throws Error for text that is no pairing URI, or an expired one. */
  pair(uri: string): void
  /** Claims a hand-off; its `confirm` starts to listen for the proposal. Rejects as `gateway.claim` does. */
  claim(id: string, gateway: WalletGateway): Promise<ClaimedHandoff>
  /** Changes the accounts of a session; resolved when the site has confirmed. @throws SignError 8000 after 30 s */
  update(topic: string, namespaces: ApprovedNamespaces): Promise<void>
  /** Extends a session to 7 days from now. */
  extend(topic: string): Promise<void>
  /** Sends an event to the site. @throws SignError 3002 for an event that the session does not have */
  emit(topic: string, event: { name: string; data: unknown }, chainId: string): Promise<void>
  ping(topic: string): Promise<void>
  disconnect(topic: string): Promise<void>
  close(): void
}

/** Creates the client of a wallet, and connects if it has sessions. */
export function createWalletClient(options: CoreOptions, listener: WalletListener = {}): WalletClient {
  /** Topics of the pairings that are listened on. */
  const pairings = new Set<string>()
  /** Pairings whose sign-in request is shown, so that the proposal beside it is not. */
  const authenticating = new Set<string>()
  const core = createCore(
    options,
    {
      wc_sessionPropose(incoming) {
        requirePairing(incoming)
        if (!authenticating.has(incoming.topic)) return receiveProposal(wallet, incoming)
      },
      wc_sessionAuthenticate(incoming) {
        requirePairing(incoming)
        receiveAuthentication(wallet, incoming)
      },
      wc_sessionRequest: (incoming, session) => receiveRequest(wallet, incoming, session),
      hawser_handoffOpened: (incoming) => handoffs.receive(incoming),
      hawser_handoffDeclined: (incoming) => handoffs.receive(incoming),
    },
    listener,
  )
  const settled = (pairingTopic: string) => handoffs.settle(pairingTopic)
  const wallet: WalletContext = { core, metadata: options.metadata, listener, settled }
  const { channel, environment } = core
  const { clock } = environment
  const handoffs = createWalletHandoffs(core, listen)

  /**
   * Checks that a site asks for a session on the topic of a pairing: the key of a meeting is known to everybody with the
   * id of the hand-off, and that of a session to another site.
   *
   * @throws SignError 7001
   */
  function requirePairing({ topic }: Incoming): void {
    if (!pairings.has(topic)) throw new SignError(signErrorCode.noSession, 'no pairing with this topic')
  }

  /** Listens for the proposal of a pairing while it is valid. */
  function listen(topic: string, symKey: string): void {
    pairings.add(topic)
    channel.open(topic, { symKey })
    clock.after(PAIRING_SECONDS * 1000, () => {
      pairings.delete(topic)
      authenticating.delete(topic)
      channel.close(topic)
    })
  }

  return {
    sessions: core.sessions.all,
    pair(uri) {
      const { topic, symKey, expiryTimestamp, methods } = parsePairingUri(uri)
      if (expiryTimestamp !== undefined && expiryTimestamp * 1000 <= clock.now()) {
        throw new Error('the pairing URI has expired')
      }
      if (methods?.includes('wc_sessionAuthenticate') && listener.authenticate) authenticating.add(topic)
      listen(topic, symKey)
    },
    claim: handoffs.claim,
    update: (topic, namespaces) => updateSession(core, topic, namespaces),
    extend: (topic) => extendSession(core, topic),
    emit: (topic, event, chainId) => emitEvent(core, topic, event, chainId),
    ping: core.ping,
    disconnect: (topic) => core.disconnect(topic),
    close: core.close,
  }
}
