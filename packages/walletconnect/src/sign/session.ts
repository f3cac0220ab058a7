import type { ApprovedNamespaces, ProposedNamespaces } from './namespaces.ts'

/** How a peer introduces itself; nothing of it is verified. */
export interface Metadata {
  readonly name: string
  readonly description: string
  readonly url: string
  readonly icons: readonly string[]
  readonly redirect?: { readonly native?: string; readonly universal?: string; readonly linkMode?: boolean }
}

export interface Peer {
  /** X25519, 64 hex digits. */
  readonly publicKey: string
  readonly metadata: Metadata
}

/** Properties of a session or of its scopes (CAIP-25). */
export type Properties = Readonly<Record<string, unknown>>

/** A message that an account signed to sign in (CAIP-74). */
export interface Cacao {
  readonly h: { readonly t: 'caip122' | 'eip4361' }
  readonly p: CacaoPayload
  readonly s: { readonly t: 'eip191' | 'eip1271'; readonly s: string; readonly m?: string }
}

/** Times are RFC 3339. */
export interface CacaoPayload {
  /** `did:pkh:` and a CAIP-10 account. */
  readonly iss: string
  readonly domain: string
  readonly aud: string
  readonly version: string
  readonly nonce: string
  readonly iat: string
  readonly nbf?: string
  readonly exp?: string
  readonly statement?: string
  readonly requestId?: string
  readonly resources?: readonly string[]
}

/** A settled session between a site and a wallet. */
export interface Session {
  /** 64 hex digits. */
  readonly topic: string
  /** Of the pairing that it was proposed on. */
  readonly pairingTopic: string
  readonly namespaces: ApprovedNamespaces
  /** What the site required; an update must still satisfy it. */
  readonly requiredNamespaces: ProposedNamespaces
  /** Unix milliseconds. */
  readonly expiresAt: number
  readonly peer: Peer
  readonly sessionProperties?: Properties
  readonly scopedProperties?: Properties
  /** The signed sign-in messages of a session that began with one. */
  readonly cacaos?: readonly Cacao[]
}

/** A session as it is stored. */
export interface StoredSession extends Session {
  /** 64 hex digits. */
  readonly symKey: string
  /** Relays that delivered a message of the peer, by URL. */
  readonly relayUrls: readonly string[]
  /** The newest update and event of each name, to drop those that arrive late: ids without their last 3 digits. */
  readonly newest: Readonly<Record<string, number>>
}
