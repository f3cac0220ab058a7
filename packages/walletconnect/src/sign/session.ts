import type { ApprovedNamespaces, ProposedNamespaces } from './namespaces.ts'

/** How a peer introduces itself; none of it is verified. */
export interface Metadata {
  readonly name: string
  readonly description: string
  readonly url: string
  readonly icons: readonly string[]
  readonly redirect?: { readonly native?: string; readonly universal?: string }
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

/** Longest texts of a peer that are kept, in characters. */
const LONGEST = { name: 128, text: 2_048, icon: 16_384 }
const MOST_ICONS = 4

/** Reads how a peer introduces itself. What is missing or not a text becomes empty; what is too long is cut or left out. */
export function readPeer(value: unknown): Peer {
  const { publicKey, metadata } = Object(value) as Record<string, unknown>
  const { name, description, url, icons, redirect } = Object(metadata) as Record<string, unknown>
  const { native, universal } = Object(redirect) as Record<string, unknown>
  const links = {
    ...(typeof native === 'string' && { native: textOf(native) }),
    ...(typeof universal === 'string' && { universal: textOf(universal) }),
  }
  const pictures = Array.isArray(icons) ? icons.filter((icon) => textOf(icon, LONGEST.icon) === icon) : []
  return {
    publicKey: textOf(publicKey),
    metadata: {
      name: textOf(name, LONGEST.name),
      description: textOf(description),
      url: textOf(url),
      icons: pictures.slice(0, MOST_ICONS),
      ...(Object.keys(links).length > 0 && { redirect: links }),
    },
  }
}

function textOf(value: unknown, longest = LONGEST.text): string {
  return typeof value === 'string' ? value.slice(0, longest) : ''
}
