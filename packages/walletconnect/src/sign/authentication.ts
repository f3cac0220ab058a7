import { deriveSymKey, generateKeyPair, topicOf } from '../crypto/keys.ts'
import { type AuthPayload, formatRecap, namespacesOf } from './cacao.ts'
import type { SignCore } from './core.ts'
import { SignError, signErrorCode } from './errors.ts'
import { PAIRING_SECONDS, SESSION_SECONDS } from './methods.ts'
import type { ApprovedNamespaces, ProposedNamespaces } from './namespaces.ts'
import { type Attempt, cancelled, type PairRequest } from './pairRequest.ts'
import {
  type Cacao,
  type Metadata,
  type Peer,
  readPeer,
  type Session,
  type StoredSession,
} from './session.ts'

/** Requests a signed sign-in message whose recap grants the methods of a session (one-click authentication). @throws SignError */
export async function authenticate(
  { channel, relays, environment: { clock }, add }: SignCore,
  metadata: Metadata,
  { pairingTopic, expiresAt, expiryTimestamp, relayUrls = relays.urls, signal }: Attempt,
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
  channel.open(answerTopic, { privateKey: keys.privateKey }, relayUrls)
  signal.addEventListener('abort', () => channel.close(answerTopic, cancelled()))
  const answer = await channel.request(
    pairingTopic,
    channel.nextId(),
    'wc_sessionAuthenticate',
    { requester, authPayload, expiryTimestamp },
    { expiresAt, answerTopic, ttlSeconds: PAIRING_SECONDS, relayUrls },
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
    relayUrls,
    newest: {},
    cacaos,
  }
  add(session)
  return session
}

function grantedNamespaces(cacaos: readonly Cacao[], requested: AuthPayload): ApprovedNamespaces {
  try {
    return namespacesOf(cacaos, requested)
  } catch (error) {
    throw new SignError(signErrorCode.settlementFailed, error instanceof Error ? error.message : '')
  }
}
