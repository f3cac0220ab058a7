import { deriveSymKey, generateKeyPair, type KeyPair, randomHex, topicOf } from '../crypto/keys.ts'
import { type AuthPayload, formatRecap, namespacesOf } from './cacao.ts'
import type { Incoming } from './channel.ts'
import type { SignCore } from './core.ts'
import { SignError, signErrorCode } from './errors.ts'
import { PAIRING_SECONDS, SESSION_SECONDS } from './methods.ts'
import {
  type ApprovedNamespaces,
  type ProposedNamespaces,
  validateApproval,
  validateProposal,
} from './namespaces.ts'
import { formatPairingUri } from './pairingUri.ts'
import {
  type Cacao,
  type Metadata,
  type Peer,
  type Properties,
  readPeer,
  type Session,
  type StoredSession,
} from './session.ts'

/** How long a wallet that has answered may take to settle the session, in milliseconds. */
const SETTLE_MS = 60_000

export interface PairRequest {
  readonly requiredNamespaces?: ProposedNamespaces
  readonly optionalNamespaces: ProposedNamespaces
  readonly sessionProperties?: Properties
  readonly scopedProperties?: Properties
  /** Also requests a signed sign-in message, and the methods of `eip155` in it; wallets that cannot answer the proposal. */
  readonly authentication?: Omit<AuthPayload, 'type' | 'version' | 'chains'>
}

/** A pairing that waits for a wallet. */
export interface PendingPairing {
  /** `wc:` URI for a QR code or a deep link. */
  readonly uri: string
  /** Unix milliseconds. */
  readonly expiresAt: number
  /** Resolved when a relay has stored the proposal for a wallet. Rejects with a RelayError. */
  readonly accepted: Promise<void>
  /**
   * Rejects with a SignError: the wallet's when it declines, 8000 after `expiresAt`, 6000 when cancelled; or with a
   * RelayError when no relay accepts the proposal.
   */
  readonly approval: Promise<Session>
  /** Stops waiting; does nothing after the answer. */
  cancel(): void
}

/** The pairings of a site. */
export interface Pairings {
  /** Proposes a session. @throws SignError 5100, 5104 */
  pair(request: PairRequest): PendingPairing
  /** Handles the settlement of a session. @throws SignError */
  settle(incoming: Incoming, existing: StoredSession | undefined): void
}

interface Settling {
  readonly pairingTopic: string
  readonly symKey: string
  readonly responderPublicKey: string
  readonly requiredNamespaces: ProposedNamespaces
  readonly resolve: (session: Session) => void
  readonly reject: (error: Error) => void
}

export function createPairings(
  { channel, relays, environment, closed, add }: SignCore,
  metadata: Metadata,
): Pairings {
  const { clock } = environment
  const settling = new Map<string, Settling>()

  function pair(request: PairRequest): PendingPairing {
    const { requiredNamespaces = {}, optionalNamespaces, authentication } = request
    validateProposal(requiredNamespaces)
    validateProposal(optionalNamespaces)
    const symKey = randomHex(32)
    const pairingTopic = topicOf(symKey)
    const expiresAt = clock.now() + PAIRING_SECONDS * 1000
    const expiryTimestamp = Math.floor(expiresAt / 1000)
    const stop = new AbortController()
    channel.open(pairingTopic, { symKey })

    // AbortSignal.any is missing in Safari before 17.4.
    closed.addEventListener('abort', () => stop.abort(), { signal: stop.signal })
    const attempt: Attempt = { pairingTopic, expiresAt, expiryTimestamp, signal: stop.signal }
    const { accepted, proposed } = propose(attempt, request)
    const approval = (async () => {
      try {
        if (!authentication) return await proposed
        return await Promise.race([
          proposed,
          authenticate(attempt, authentication, optionalNamespaces).catch((error) => {
            // The wallet does not support this sign-in, and answers the proposal.
            if (error instanceof SignError && error.code === signErrorCode.unknownMethod) return proposed
            throw error
          }),
        ])
      } finally {
        stop.abort()
        channel.close(pairingTopic, cancelled())
      }
    })()
    // The caller may wait for them later, or never.
    for (const promise of [accepted, proposed, approval]) promise.catch(() => undefined)

    const methods = authentication && ['wc_sessionAuthenticate']
    return {
      uri: formatPairingUri({ topic: pairingTopic, symKey, expiryTimestamp, ...(methods && { methods }) }),
      expiresAt,
      accepted,
      approval,
      cancel() {
        channel.close(pairingTopic, cancelled())
        stop.abort()
      },
    }
  }

  function propose(attempt: Attempt, request: PairRequest) {
    const { pairingTopic, expiresAt, expiryTimestamp, signal } = attempt
    const { requiredNamespaces = {}, optionalNamespaces, sessionProperties, scopedProperties } = request
    const keys = generateKeyPair()
    const id = channel.nextId()
    const proposal = {
      id,
      requiredNamespaces,
      optionalNamespaces,
      relays: [{ protocol: 'irn' }],
      proposer: { publicKey: keys.publicKey, metadata },
      expiryTimestamp,
      pairingTopic,
      sessionProperties,
      scopedProperties,
    }
    const sessionProposal = channel.seal(pairingTopic, id, 'wc_sessionPropose', proposal)
    const answered = channel.answerTo(id, pairingTopic, expiresAt)
    const ttl = PAIRING_SECONDS
    const accepted = relays.request('wc_proposeSession', { pairingTopic, sessionProposal, ttl })
    const proposed = Promise.all([accepted, answered]).then(([, answer]) => {
      const { responderPublicKey } = answer as { responderPublicKey: string }
      return settlement(keys, responderPublicKey, pairingTopic, requiredNamespaces, signal)
    })
    return { accepted, proposed }
  }

  /** Waits on the topic of a session until the wallet settles it. */
  function settlement(
    keys: KeyPair,
    responderPublicKey: string,
    pairingTopic: string,
    requiredNamespaces: ProposedNamespaces,
    signal: AbortSignal,
  ): Promise<Session> {
    const symKey = deriveSymKey(keys.privateKey, responderPublicKey)
    const topic = topicOf(symKey)
    return new Promise((resolve, reject) => {
      const end = () => {
        settling.delete(topic)
        cancel()
      }
      const fail = (error: Error) => {
        end()
        channel.close(topic)
        reject(error)
      }
      const cancel = clock.after(SETTLE_MS, () =>
        fail(new SignError(signErrorCode.requestExpired, 'the wallet did not settle')),
      )
      settling.set(topic, {
        pairingTopic,
        symKey,
        responderPublicKey,
        requiredNamespaces,
        resolve(session) {
          end()
          resolve(session)
        },
        reject: fail,
      })
      signal.addEventListener('abort', () => {
        if (settling.has(topic)) fail(cancelled())
      })
      channel.open(topic, { symKey })
    })
  }

  function settle(incoming: Incoming, existing: StoredSession | undefined): void {
    const { topic, params, relayUrl } = incoming
    const expected = settling.get(topic)
    if (!expected) {
      if (!existing) throw new SignError(signErrorCode.noSession, 'no session is expected here')
      channel.confirm(incoming)
      return
    }
    const { namespaces, controller, expiry, sessionProperties, scopedProperties } = params as Settlement
    try {
      if (controller?.publicKey !== expected.responderPublicKey) {
        throw new SignError(signErrorCode.settlementFailed, 'settled by another key')
      }
      if (!Number.isSafeInteger(expiry)) throw new SignError(signErrorCode.settlementFailed, 'no expiry')
      validateApproval(namespaces, expected.requiredNamespaces)
    } catch (error) {
      expected.reject(error as Error)
      throw error
    }
    const session: StoredSession = {
      topic,
      pairingTopic: expected.pairingTopic,
      namespaces,
      requiredNamespaces: expected.requiredNamespaces,
      expiresAt: expiry * 1000,
      peer: readPeer(controller),
      symKey: expected.symKey,
      relayUrls: [relayUrl],
      newest: {},
      ...(sessionProperties && { sessionProperties }),
      ...(scopedProperties && { scopedProperties }),
    }
    add(session)
    channel.confirm(incoming)
    expected.resolve(session)
  }

  /** Requests a signed sign-in message whose recap grants the methods of a session (one-click authentication). */
  async function authenticate(
    { pairingTopic, expiresAt, expiryTimestamp, signal }: Attempt,
    fields: NonNullable<PairRequest['authentication']>,
    { eip155 }: ProposedNamespaces,
  ): Promise<Session> {
    const keys = generateKeyPair()
    const answerTopic = topicOf(keys.publicKey)
    const chains = eip155?.chains ?? []
    const recap = formatRecap(eip155?.methods ?? [], chains)
    const authPayload: AuthPayload = {
      ...fields,
      type: 'caip122',
      version: '1',
      chains,
      resources: [...(fields.resources ?? []), recap],
    }
    const requester = { publicKey: keys.publicKey, metadata }
    channel.open(answerTopic, { privateKey: keys.privateKey })
    signal.addEventListener('abort', () => channel.close(answerTopic, cancelled()))
    const answer = await channel.request(
      pairingTopic,
      channel.nextId(),
      'wc_sessionAuthenticate',
      { requester, authPayload, expiryTimestamp },
      { expiresAt, answerTopic, ttlSeconds: PAIRING_SECONDS },
    )
    const { cacaos, responder } = answer as { cacaos: readonly Cacao[]; responder: Peer }
    const namespaces = grantedNamespaces(cacaos, authPayload)
    const symKey = deriveSymKey(keys.privateKey, responder.publicKey)
    const session: StoredSession = {
      topic: topicOf(symKey),
      pairingTopic,
      namespaces,
      requiredNamespaces: {},
      expiresAt: clock.now() + SESSION_SECONDS * 1000,
      peer: readPeer(responder),
      symKey,
      relayUrls: relays.urls,
      newest: {},
      cacaos,
    }
    add(session)
    return session
  }

  return { pair, settle }
}

interface Attempt {
  readonly pairingTopic: string
  readonly expiresAt: number
  readonly expiryTimestamp: number
  readonly signal: AbortSignal
}

interface Settlement {
  readonly namespaces: ApprovedNamespaces
  readonly controller: Peer
  /** Unix seconds. */
  readonly expiry: number
  readonly sessionProperties?: Properties
  readonly scopedProperties?: Properties
}

function grantedNamespaces(cacaos: readonly Cacao[], requested: AuthPayload): ApprovedNamespaces {
  try {
    return namespacesOf(cacaos, requested)
  } catch (error) {
    throw new SignError(signErrorCode.settlementFailed, error instanceof Error ? error.message : '')
  }
}

function cancelled(): SignError {
  return new SignError(signErrorCode.userDisconnected, 'the pairing was cancelled')
}
