import { deriveSymKey, generateKeyPair, topicOf } from '../crypto/keys.ts'
import type { RpcFailure } from '../jsonRpc.ts'
import type { AuthPayload } from './cacao.ts'
import type { Answerable, Incoming } from './channel.ts'
import { type CoreListener, type CoreOptions, createCore } from './core.ts'
import { SignError, signErrorCode } from './errors.ts'
import { PAIRING_SECONDS, SESSION_SECONDS } from './methods.ts'
import {
  type ApprovedNamespaces,
  allows,
  type ProposedNamespaces,
  validateApproval,
  validateProposal,
} from './namespaces.ts'
import { parsePairingUri } from './pairingUri.ts'
import {
  type Cacao,
  type Metadata,
  type Peer,
  type Properties,
  readPeer,
  type Session,
  type StoredSession,
} from './session.ts'

const ACK_DEADLINE_MS = 30_000

/** A session that a site proposes. */
export interface Proposal {
  readonly pairingTopic: string
  readonly proposer: Peer
  readonly requiredNamespaces: ProposedNamespaces
  readonly optionalNamespaces: ProposedNamespaces
  readonly sessionProperties?: Properties
  readonly scopedProperties?: Properties
  /** Approves. Resolved when the relay has stored the answer. @throws SignError for invalid namespaces; RelayError */
  approve(approval: Approval): Promise<Session>
  /** Declines, with code 5000 by default. */
  reject(failure?: RpcFailure): Promise<void>
}

export interface Approval {
  readonly namespaces: ApprovedNamespaces
  readonly sessionProperties?: Properties
  readonly scopedProperties?: Properties
}

/** A sign-in message that a site requests together with a session. */
export interface AuthenticationProposal {
  readonly requester: { readonly publicKey: string; readonly metadata: Metadata }
  readonly payload: AuthPayload
  /** Answers with signed messages; `namespaces` are those of the session that they grant. */
  approve(cacaos: readonly Cacao[], namespaces: ApprovedNamespaces): Promise<Session>
  reject(failure?: RpcFailure): Promise<void>
}

/** A request of a site. */
export interface WalletRequest {
  readonly session: Session
  /** CAIP-2. */
  readonly chainId: string
  readonly method: string
  readonly params: unknown
  respond(result: unknown): Promise<void>
  reject(failure: RpcFailure): Promise<void>
}

export interface WalletListener extends CoreListener {
  proposed?(proposal: Proposal): void
  /** Absent: the site falls back to its proposal. */
  authenticate?(proposal: AuthenticationProposal): void
  requested?(request: WalletRequest): void
}

/** The Sign client of a wallet, the controller of its sessions. */
export interface WalletClient {
  sessions(): readonly Session[]
  /** Starts to listen for the proposal of a pairing. @throws Error for text that is no pairing URI, or an expired one. */
  pair(uri: string): void
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
  /** Pairings whose sign-in request was shown, so that the proposal beside it is not. */
  const authenticating = new Set<string>()
  const core = createCore(
    options,
    { wc_sessionPropose: propose, wc_sessionAuthenticate: authenticate, wc_sessionRequest: receiveRequest },
    listener,
  )
  const { channel, relays, environment } = core
  const { clock } = environment

  function pair(uri: string): void {
    const { topic, symKey, expiryTimestamp, methods } = parsePairingUri(uri)
    if (expiryTimestamp !== undefined && expiryTimestamp * 1000 <= clock.now()) {
      throw new Error('the pairing URI has expired')
    }
    if (methods?.includes('wc_sessionAuthenticate') && listener.authenticate) authenticating.add(topic)
    channel.open(topic, { symKey })
    clock.after(PAIRING_SECONDS * 1000, () => {
      authenticating.delete(topic)
      channel.close(topic)
    })
  }

  function propose(incoming: Incoming): void {
    const { topic: pairingTopic } = incoming
    if (authenticating.has(pairingTopic)) return
    const params = incoming.params as ProposalParams
    validateProposal(params.requiredNamespaces ?? {})
    validateProposal(params.optionalNamespaces ?? {})
    listener.proposed?.({
      ...params,
      proposer: readPeer(params.proposer),
      pairingTopic,
      approve: (approval) => approve(incoming, params, approval),
      reject: (failure = REJECTED) => channel.refuse(incoming, failure),
    })
  }

  async function approve(incoming: Incoming, params: ProposalParams, approval: Approval): Promise<Session> {
    const { topic: pairingTopic } = incoming
    const { namespaces, sessionProperties, scopedProperties } = approval
    validateApproval(namespaces, params.requiredNamespaces)
    const keys = generateKeyPair()
    const symKey = deriveSymKey(keys.privateKey, params.proposer.publicKey)
    const session = newSession(symKey, pairingTopic, namespaces, readPeer(params.proposer), approval)
    core.add(session)
    const { topic, expiresAt } = session
    const settlement = {
      relay: { protocol: 'irn' },
      namespaces,
      controller: { publicKey: keys.publicKey, metadata: options.metadata },
      expiry: Math.floor(expiresAt / 1000),
      sessionProperties,
      scopedProperties,
    }
    const id = channel.nextId()
    const settled = channel.answerTo(id, topic, clock.now() + PAIRING_SECONDS * 1000)
    settled.catch((error: SignError) => {
      // The site refused what was approved. Without an answer the session may still exist there.
      if (error.code !== signErrorCode.requestExpired) void core.disconnect(topic)
    })
    const response = { relay: { protocol: 'irn' }, responderPublicKey: keys.publicKey }
    await relays.request('wc_approveSession', {
      pairingTopic,
      sessionTopic: topic,
      sessionProposalResponse: channel.sealResult(pairingTopic, incoming.id, response),
      sessionSettlementRequest: channel.seal(topic, id, 'wc_sessionSettle', settlement),
      ttl: PAIRING_SECONDS,
    })
    return session
  }

  function newSession(
    symKey: string,
    pairingTopic: string,
    namespaces: ApprovedNamespaces,
    peer: Peer,
    { sessionProperties, scopedProperties }: Partial<Approval> = {},
  ): StoredSession {
    return {
      topic: topicOf(symKey),
      pairingTopic,
      namespaces,
      requiredNamespaces: {},
      expiresAt: clock.now() + SESSION_SECONDS * 1000,
      peer,
      symKey,
      relayUrls: relays.urls,
      newest: {},
      ...(sessionProperties && { sessionProperties }),
      ...(scopedProperties && { scopedProperties }),
    }
  }

  function authenticate(incoming: Incoming): void {
    if (!listener.authenticate) {
      throw new SignError(signErrorCode.unknownMethod, 'unsupported method: wc_sessionAuthenticate')
    }
    const { requester, authPayload } = incoming.params as AuthenticateParams
    const keys = generateKeyPair()
    const symKey = deriveSymKey(keys.privateKey, requester.publicKey)
    const answerable: Answerable = { ...incoming, topic: topicOf(requester.publicKey) }
    const key = { symKey, senderPublicKey: keys.publicKey }
    listener.authenticate({
      requester: readPeer(requester),
      payload: authPayload,
      async approve(cacaos, namespaces) {
        const session = newSession(symKey, incoming.topic, namespaces, readPeer(requester))
        core.add(session)
        const responder = { publicKey: keys.publicKey, metadata: options.metadata }
        await channel.answer(answerable, { cacaos, responder }, key)
        return session
      },
      reject: (failure = REJECTED) => channel.refuse(answerable, failure, key),
    })
  }

  function receiveRequest(incoming: Incoming, session: StoredSession | undefined): void {
    if (!session) throw new SignError(signErrorCode.noSession, 'no session with this topic')
    const { chainId, request } = incoming.params as RequestParams
    if (request.expiryTimestamp !== undefined && request.expiryTimestamp * 1000 <= clock.now()) {
      throw new SignError(signErrorCode.requestExpired, 'the request has expired')
    }
    if (!allows(session.namespaces, 'methods', request.method, chainId)) {
      throw new SignError(signErrorCode.unauthorizedMethod, 'the session does not allow this method')
    }
    listener.requested?.({
      session,
      chainId,
      method: request.method,
      params: request.params,
      respond: (result) => channel.answer(incoming, result),
      reject: (failure) => channel.refuse(incoming, failure),
    })
  }

  return {
    sessions: core.sessions.all,
    pair,
    async update(topic, namespaces) {
      validateApproval(namespaces, core.session(topic).requiredNamespaces)
      const expiresAt = clock.now() + ACK_DEADLINE_MS
      core.change(topic, { namespaces })
      await channel.request(topic, channel.nextId(), 'wc_sessionUpdate', { namespaces }, { expiresAt })
    },
    async extend(topic) {
      const now = clock.now()
      core.change(topic, { expiresAt: now + SESSION_SECONDS * 1000 })
      const options = { expiresAt: now + ACK_DEADLINE_MS }
      await channel.request(topic, channel.nextId(), 'wc_sessionExtend', {}, options)
    },
    async emit(topic, event, chainId) {
      const { namespaces, relayUrls } = core.session(topic)
      if (!allows(namespaces, 'events', event.name, chainId)) {
        throw new SignError(signErrorCode.unauthorizedEvent, 'the session does not have this event')
      }
      await channel.notify(topic, 'wc_sessionEvent', { event, chainId }, relayUrls)
    },
    ping: core.ping,
    disconnect: (topic) => core.disconnect(topic),
    close: core.close,
  }
}

const REJECTED: RpcFailure = { code: signErrorCode.userRejected, message: 'User rejected.' }

type ProposalParams = Pick<
  Proposal,
  'proposer' | 'requiredNamespaces' | 'optionalNamespaces' | 'sessionProperties' | 'scopedProperties'
>

interface AuthenticateParams {
  readonly requester: { readonly publicKey: string; readonly metadata: Metadata }
  readonly authPayload: AuthPayload
}

interface RequestParams {
  readonly chainId: string
  readonly request: { readonly method: string; readonly params: unknown; readonly expiryTimestamp?: number }
}
