import { randomHex, topicOf } from '../crypto/keys.ts'
import { authenticate } from './authentication.ts'
import type { SignCore } from './core.ts'
import { SignError, signErrorCode } from './errors.ts'
import { PAIRING_SECONDS } from './methods.ts'
import { validateProposal } from './namespaces.ts'
import { formatPairingUri } from './pairingUri.ts'
import { type Attempt, cancelled, type PairRequest } from './pairRequest.ts'
import { proposeSession } from './proposal.ts'
import type { Metadata, Session } from './session.ts'
import { createSettlements, type Settlements } from './settlements.ts'

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
export interface Pairings extends Pick<Settlements, 'settle'> {
  /**
   * Proposes a session.
   *
   * @param symKey key of the pairing, 64 hex digits, that the wallet has already; random by default.
   * @throws SignError 5100, 5104
   */
  pair(request: PairRequest, symKey?: string): PendingPairing
}

export function createPairings(core: SignCore, metadata: Metadata): Pairings {
  const { channel, environment, closed } = core
  const settlements = createSettlements(core)

  function pair(request: PairRequest, symKey: string = randomHex(32)): PendingPairing {
    const { requiredNamespaces = {}, optionalNamespaces, authentication, relayUrls } = request
    validateProposal(requiredNamespaces)
    validateProposal(optionalNamespaces)
    const pairingTopic = topicOf(symKey)
    const expiresAt = environment.clock.now() + PAIRING_SECONDS * 1000
    const expiryTimestamp = Math.floor(expiresAt / 1000)
    const stop = new AbortController()
    channel.open(pairingTopic, { symKey }, relayUrls)

    // AbortSignal.any is missing in Safari before 17.4.
    closed.addEventListener('abort', () => stop.abort(), { signal: stop.signal })
    const attempt: Attempt = { pairingTopic, expiresAt, expiryTimestamp, relayUrls, signal: stop.signal }
    const { accepted, proposed } = proposeSession(core, settlements, metadata, attempt, request)
    const approval = (async () => {
      try {
        if (!authentication) return await proposed
        return await Promise.race([
          proposed,
          authenticate(core, metadata, attempt, authentication, optionalNamespaces).catch((error) => {
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

  return { pair, settle: settlements.settle }
}
