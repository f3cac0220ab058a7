import { topicOf } from '../crypto/keys.ts'
import type { RpcFailure } from '../jsonRpc.ts'
import type { SignCore } from './core.ts'
import { signErrorCode } from './errors.ts'
import { SESSION_SECONDS } from './methods.ts'
import type { ApprovedNamespaces } from './namespaces.ts'
import type { Metadata, Peer, StoredSession } from './session.ts'
import type { Approval, WalletListener } from './walletListener.ts'

/** What the handlers of a wallet's client share. */
export interface WalletContext {
  readonly core: SignCore
  readonly metadata: Metadata
  readonly listener: WalletListener
  /** A pairing has become a session. */
  readonly settled: (pairingTopic: string) => void
}

/** The answer to a site when the user declines. */
export const REJECTED: RpcFailure = { code: signErrorCode.userRejected, message: 'User rejected.' }

/** Returns a session with a site that the wallet approves, for 7 days. */
export function newSession(
  { relays, environment: { clock } }: SignCore,
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
