import { deriveSymKey, generateKeyPair } from '../crypto/keys.ts'
import type { Incoming } from './channel.ts'
import { type SignError, signErrorCode } from './errors.ts'
import { PAIRING_SECONDS } from './methods.ts'
import { validateApproval, validateProposal } from './namespaces.ts'
import { readPeer, type Session } from './session.ts'
import { newSession, REJECTED, type WalletContext } from './walletContext.ts'
import type { Approval, Proposal } from './walletListener.ts'

type ProposalParams = Pick<
  Proposal,
  'proposer' | 'requiredNamespaces' | 'optionalNamespaces' | 'sessionProperties' | 'scopedProperties'
>

/** Shows a session that a site proposes. @throws SignError for invalid namespaces */
export function receiveProposal(wallet: WalletContext, incoming: Incoming): void | Promise<void> {
  const params = incoming.params as ProposalParams
  validateProposal(params.requiredNamespaces ?? {})
  validateProposal(params.optionalNamespaces ?? {})
  return wallet.listener.proposed?.({
    ...params,
    proposer: readPeer(params.proposer),
    pairingTopic: incoming.topic,
    approve: (approval) => approve(wallet, incoming, params, approval),
    reject: (failure = REJECTED) => wallet.core.channel.refuse(incoming, failure),
  })
}

/** Settles a session on a topic of its own, with the answer to its proposal in the same request to the relay. */
async function approve(
  { core, metadata, settled }: WalletContext,
  incoming: Incoming,
  params: ProposalParams,
  approval: Approval,
): Promise<Session> {
  const { channel, relays, environment } = core
  const { topic: pairingTopic } = incoming
  const { namespaces, sessionProperties, scopedProperties } = approval
  validateApproval(namespaces, params.requiredNamespaces)
  const keys = generateKeyPair()
  const symKey = deriveSymKey(keys.privateKey, params.proposer.publicKey)
  const session = newSession(core, symKey, pairingTopic, namespaces, readPeer(params.proposer), approval)
  core.add(session)
  settled(pairingTopic)
  const { topic, expiresAt } = session
  const settlement = {
    relay: { protocol: 'irn' },
    namespaces,
    controller: { publicKey: keys.publicKey, metadata },
    expiry: Math.floor(expiresAt / 1000),
    sessionProperties,
    scopedProperties,
  }
  const id = channel.nextId()
  const answered = channel.answerTo(id, topic, environment.clock.now() + PAIRING_SECONDS * 1000)
  answered.catch((error: SignError) => {
    // The site refused what was approved. Without an answer the session may still exist there.
    if (error.code !== signErrorCode.requestExpired) void core.disconnect(topic)
  })
  const response = { relay: { protocol: 'irn' }, responderPublicKey: keys.publicKey }
  try {
    await relays.request('wc_approveSession', {
      pairingTopic,
      sessionTopic: topic,
      sessionProposalResponse: channel.sealResult(pairingTopic, incoming.id, response),
      sessionSettlementRequest: channel.seal(topic, id, 'wc_sessionSettle', settlement),
      ttl: PAIRING_SECONDS,
    })
  } catch (error) {
    // The relay may have delivered it, though its answer was lost.
    void core.disconnect(topic)
    throw error
  }
  return session
}
