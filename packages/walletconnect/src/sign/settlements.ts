import { deriveSymKey, type KeyPair, topicOf } from '../crypto/keys.ts'
import type { Incoming } from './channel.ts'
import type { SignCore } from './core.ts'
import { SignError, signErrorCode } from './errors.ts'
import { type ApprovedNamespaces, type ProposedNamespaces, validateApproval } from './namespaces.ts'
import { type Attempt, cancelled } from './pairRequest.ts'
import { type Peer, type Properties, readPeer, type Session, type StoredSession } from './session.ts'

/** How long a wallet that has answered may take to settle the session, in milliseconds. */
const SETTLE_MS = 60_000

/** The sessions that wallets have yet to settle. */
export interface Settlements {
  /** Waits on the topic of a session until the wallet settles it. Rejects with a SignError. */
  expect(
    attempt: Attempt,
    keys: KeyPair,
    responderPublicKey: string,
    requiredNamespaces: ProposedNamespaces,
  ): Promise<Session>
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

interface Settlement {
  readonly namespaces: ApprovedNamespaces
  readonly controller: Peer
  /** Unix seconds. */
  readonly expiry: number
  readonly sessionProperties?: Properties
  readonly scopedProperties?: Properties
}

/** Creates the settlements of a client. */
export function createSettlements({ channel, environment: { clock }, add }: SignCore): Settlements {
  const settling = new Map<string, Settling>()

  return {
    expect({ pairingTopic, relayUrls, signal }, keys, responderPublicKey, requiredNamespaces) {
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
        channel.open(topic, { symKey }, relayUrls)
      })
    },
    settle(incoming, existing) {
      const expected = settling.get(incoming.topic)
      if (!expected) {
        if (!existing) throw new SignError(signErrorCode.noSession, 'no session is expected here')
        channel.confirm(incoming)
        return
      }
      const session = readSettlement(incoming, expected)
      add(session)
      channel.confirm(incoming)
      expected.resolve(session)
    },
  }
}

/** Returns the session that a wallet settles. @throws SignError for one that was not agreed, and ends the wait for it */
function readSettlement({ topic, params, relayUrl }: Incoming, expected: Settling): StoredSession {
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
  return {
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
}
