import type { SiteGateway } from '../handoff/gateway.ts'
import { createSiteHandoffs, type PendingHandoff } from '../handoff/siteHandoff.ts'
import type { Incoming } from './channel.ts'
import { type CoreListener, type CoreOptions, createCore } from './core.ts'
import { SignError, signErrorCode } from './errors.ts'
import { REQUEST_SECONDS, SESSION_SECONDS } from './methods.ts'
import { type ApprovedNamespaces, allows, validateApproval } from './namespaces.ts'
import { createPairings, type PendingPairing } from './pairings.ts'
import type { PairRequest } from './pairRequest.ts'
import type { Session, StoredSession } from './session.ts'

export interface SessionRequest {
  readonly topic: string
  /** CAIP-2. */
  readonly chainId: string
  readonly method: string
  readonly params: unknown
  /** 300 s to 7 days; 300 s by default. */
  readonly expirySeconds?: number
  /** Called with the id of the request once it is written to the socket: opening an app may suspend the page. */
  readonly onSend?: (id: number) => void
}

export interface SignListener extends CoreListener {
  /** An event of the wallet on a chain (CAIP-2), such as `chainChanged`. */
  event?(session: Session, event: { readonly name: string; readonly data: unknown }, chainId: string): void
}

/** The Sign client of a site. */
export interface SignClient {
  /** Returns the sessions that have not expired, the oldest first. */
  sessions(): readonly Session[]
  /** Proposes a session. The URI is ready at once; the relays are called meanwhile. @throws SignError 5100, 5104 */
  pair(request: PairRequest): PendingPairing
  /**
   * Starts a hand-off to the browser of a wallet. Instead of the key of a pairing URI, a session is proposed with one that
   * this page and the wallet page agree on. The wallet page uses the relay of its gateway alone, which `relayUrls` of the
   * request should name.
   *
   * @throws SignError 5100, 5104; what `gateway.create` throws.
   */
  handOff(request: PairRequest, gateway: SiteGateway): Promise<PendingHandoff>
  /**
   * Sends a request to the wallet and returns its result.
   *
   * @throws SignError with the wallet's code; 3001 for a method or chain that the session does not allow; 8000 after the
   * expiry; 7001 without a session. RelayError when no relay accepts it.
   */
  request(request: SessionRequest): Promise<unknown>
  ping(topic: string): Promise<void>
  disconnect(topic: string): Promise<void>
  /** Closes the sockets. Sessions stay stored. */
  close(): void
}

/** Creates the client of a site, and connects if it has sessions. */
export function createSignClient(options: CoreOptions, listener: SignListener = {}): SignClient {
  const core = createCore(
    options,
    {
      wc_sessionSettle: (incoming, session) => pairings.settle(incoming, session),
      wc_sessionUpdate: update,
      wc_sessionExtend: extend,
      wc_sessionEvent: receiveEvent,
      hawser_handoffClaimed: (incoming) => handoffs.receive(incoming),
      hawser_handoffDeclined: (incoming) => handoffs.receive(incoming),
    },
    listener,
  )
  const { channel, environment } = core
  const { clock } = environment
  const pairings = createPairings(core, options.metadata)
  const handoffs = createSiteHandoffs(core, pairings)

  function update(incoming: Incoming, session: StoredSession | undefined): void {
    const { namespaces } = incoming.params as { namespaces: ApprovedNamespaces }
    const live = requireSession(session)
    validateApproval(namespaces, live.requiredNamespaces)
    if (isNewest(live, 'update', incoming)) {
      core.change(live.topic, { namespaces })
      listener.updated?.(core.session(live.topic))
    }
    channel.confirm(incoming)
  }

  function extend(incoming: Incoming, session: StoredSession | undefined): void {
    const { topic } = requireSession(session)
    core.change(topic, { expiresAt: clock.now() + SESSION_SECONDS * 1000 })
    listener.updated?.(core.session(topic))
    channel.confirm(incoming)
  }

  function receiveEvent(incoming: Incoming, session: StoredSession | undefined): void {
    const live = requireSession(session)
    const { event, chainId } = incoming.params as SessionEvent
    if (!allows(live.namespaces, 'events', event?.name, chainId)) {
      throw new SignError(signErrorCode.unauthorizedEvent, 'the session does not allow this event')
    }
    if (isNewest(live, `event ${event.name}`, incoming)) listener.event?.(live, event, chainId)
    channel.confirm(incoming)
  }

  /** Reports whether no newer message of its kind was handled, and remembers it. */
  function isNewest({ topic, newest }: StoredSession, kind: string, { id }: Incoming): boolean {
    const at = Math.floor(Number(id) / 1000)
    if (!(at >= (newest[kind] ?? 0))) return false
    core.change(topic, { newest: { ...newest, [kind]: at } })
    return true
  }

  async function request({
    topic,
    chainId,
    method,
    params,
    expirySeconds = REQUEST_SECONDS.least,
    onSend,
  }: SessionRequest): Promise<unknown> {
    const { namespaces, relayUrls } = core.session(topic)
    if (!allows(namespaces, 'methods', method, chainId)) {
      throw new SignError(
        signErrorCode.unauthorizedMethod,
        `the session does not allow ${method} on ${chainId}`,
      )
    }
    const ttlSeconds = Math.min(Math.max(expirySeconds, REQUEST_SECONDS.least), REQUEST_SECONDS.most)
    const expiresAt = clock.now() + ttlSeconds * 1000
    const id = channel.nextId()
    const call = { request: { method, params, expiryTimestamp: Math.floor(expiresAt / 1000) }, chainId }
    const answer = channel.request(topic, id, 'wc_sessionRequest', call, { expiresAt, ttlSeconds, relayUrls })
    onSend?.(id)
    return answer
  }

  return {
    sessions: core.sessions.all,
    pair: (pairRequest) => pairings.pair(pairRequest),
    handOff: handoffs.start,
    request,
    ping: core.ping,
    disconnect: (topic) => core.disconnect(topic),
    close: core.close,
  }
}

interface SessionEvent {
  readonly event: { readonly name: string; readonly data: unknown }
  readonly chainId: string
}

function requireSession(session: StoredSession | undefined): StoredSession {
  if (!session) throw new SignError(signErrorCode.noSession, 'no session with this topic')
  return session
}
