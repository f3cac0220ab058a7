import { generateKeyPair } from '../crypto/keys.ts'
import type { SignCore } from './core.ts'
import { PAIRING_SECONDS } from './methods.ts'
import type { Attempt, PairRequest } from './pairRequest.ts'
import type { Metadata, Session } from './session.ts'
import type { Settlements } from './settlements.ts'

/** A session that is proposed to the wallet of a pairing. */
interface Proposal {
  /** Resolved when a relay has stored the proposal. */
  readonly accepted: Promise<void>
  readonly proposed: Promise<Session>
}

/** Proposes a session to the wallet of a pairing. */
export function proposeSession(
  { channel, relays }: SignCore,
  settlements: Settlements,
  metadata: Metadata,
  attempt: Attempt,
  request: PairRequest,
): Proposal {
  const { pairingTopic, expiresAt, expiryTimestamp, relayUrls } = attempt
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
  const accepted = relays.request('wc_proposeSession', { pairingTopic, sessionProposal, ttl }, relayUrls)
  const proposed = Promise.all([accepted, answered]).then(([, answer]) => {
    const { responderPublicKey } = answer as { responderPublicKey: string }
    return settlements.expect(attempt, keys, responderPublicKey, requiredNamespaces)
  })
  return { accepted, proposed }
}
