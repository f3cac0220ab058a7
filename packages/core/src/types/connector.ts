import type { EmbeddedWallet, Social } from './embeddedWallet.ts'
import type { KeyValueStorage, Log, NodeRequest } from './environment.ts'
import type { CaipAddress, CaipNetworkId, Namespace, Network } from './network.ts'
import type { Providers } from './providers.ts'

export type ConnectorType = 'EXTERNAL' | 'WALLET_CONNECT' | 'INJECTED' | 'ANNOUNCED' | 'AUTH' | 'MULTI_CHAIN'

/** A wallet that can be connected. */
export interface Connector<N extends Namespace = Namespace> {
  /** Stable across visits: the rdns of an announced wallet, a fixed word otherwise. */
  readonly id: string
  readonly name: string
  /** A sentence below the name in the list of wallets. */
  readonly description?: string
  readonly type: ConnectorType
  readonly chain: N
  readonly imageUrl?: string
  readonly imageId?: string
  /** Id of the same wallet in the wallet directory. */
  readonly explorerId?: string
  readonly info?: { readonly rdns?: string; readonly uuid?: string }
  /** Another wallet announced the same rdns before; one of the two is an impostor. */
  readonly isDuplicate?: boolean
  /** The entries merged into a MULTI_CHAIN connector, one per namespace. */
  readonly connectors?: readonly Connector[]
  /** Loads the provider on first use, so that a listed wallet costs no bytes. */
  getProvider(): Promise<Providers[N]>
  /** Ends the session in the wallet, if the wallet has one. */
  disconnect?(): Promise<void>
  /**
   * Starts a pairing, for type WALLET_CONNECT. Once it is approved, `getProvider` returns the provider of the session.
   *
   * @throws Error when no relay can be reached or accepts the pairing.
   */
  pair?(options: PairOptions): Promise<Pairing>
  /**
   * Starts a hand-off to the browser of a wallet. For type WALLET_CONNECT, with the relay of the gateway. Once it is approved,
   * `getProvider` returns the provider of the session.
   *
   * @throws Error with a `code` of Connect; `permission_denied` when the project does not list the page's origin.
   */
  handOff?(options: PairOptions): Promise<Handoff>
  /** The relays that pairings are offered on, for type WALLET_CONNECT. */
  readonly relays?: readonly Relay[]
  /** Returns the session in use, restored from storage if need be; undefined without one. For type WALLET_CONNECT. */
  getSession?(): Promise<RelaySession | undefined>
  /** The logins that an embedded wallet offers, for type AUTH. */
  readonly logins?: EmbeddedLogins
  /** Loads the code of the embedded wallet, for type AUTH. */
  getEmbeddedWallet?(): Promise<EmbeddedWallet>
  /** Reports whether only this page can open the login, because the browser stores nothing for the embedded wallet. For type AUTH. */
  endsWithTab?(): Promise<boolean>
}

export interface EmbeddedLogins {
  readonly email: boolean
  /** In the order that they are offered in. */
  readonly socials: readonly Social[]
  /** URL of the page on which the user manages keys, devices and sessions. */
  readonly accountUrl: string
}

/** A relay that a wallet can be reached through: the operator's own, or the public one of stock wallets. */
export type Relay = 'own' | 'public'

export interface PairOptions {
  /** The networks to request from the wallet, as optional ones; the first is the active one. */
  readonly networks: readonly Network[]
  /** Requests a signed sign-in message together with the session (one-click authentication). */
  readonly authentication?: AuthenticationRequest
  /** Cancels the pairing. */
  readonly signal?: AbortSignal
}

/** A pairing that waits for a wallet to answer. */
export interface Pairing {
  /** `wc:` URI for a QR code or a deep link. */
  readonly uri: string
  /** Expiry of the URI in Unix milliseconds. */
  readonly expiresAt: number
  /**
   * Rejects with an error whose `code` says why: 5000 (or another of 5xxx) when the visitor or the wallet declines, 8000
   * after `expiresAt`, 6000 after `cancel`.
   */
  readonly approval: Promise<RelaySession>
  /** Stops waiting; `approval` then rejects. Does nothing after the answer. */
  cancel(): void
}

/** A hand-off that waits for the browser of a wallet. Its `uri` is the page to open there, which says what the wallet does. */
export interface Handoff extends Pairing {
  /** Resolved with six digits that both screens show, once the page is open in the wallet. Rejects as `approval` does. */
  readonly digits: Promise<string>
  /** Resolved when another device opened the page after that, and was refused. Pending otherwise. */
  readonly secondScan: Promise<void>
  /** Proposes the session: the visitor has compared the digits. Does nothing before there are any. */
  confirm(): void
}

/** A session with a wallet that answers through a relay. */
export interface RelaySession {
  /** 64 hex digits. */
  readonly topic: string
  /** CAIP-10. */
  readonly accounts: readonly CaipAddress[]
  readonly approvedNetworkIds: readonly CaipNetworkId[]
  /** True if the wallet can be switched to networks that the session does not list, by `wallet_switchEthereumChain`. */
  readonly supportsAllNetworks: boolean
  /** JSON-RPC methods that the wallet handles. */
  readonly methods: readonly string[]
  /** Unix milliseconds. */
  readonly expiresAt: number
  readonly peer: RelayPeer
  /** The signed sign-in messages, if `authentication` was requested and the wallet supports it. */
  readonly cacaos?: readonly Cacao[]
}

/** What a wallet reports about itself; none of it is verified. */
export interface RelayPeer {
  readonly name: string
  readonly url: string
  readonly icons: readonly string[]
  readonly redirect?: { readonly native?: string; readonly universal?: string }
}

/** Fields of a sign-in message (ERC-4361, CAIP-122) that a site selects; the wallet adds the account. */
export interface AuthenticationRequest {
  /** RFC 3986 authority, such as `app.example.com`. */
  readonly domain: string
  /** RFC 3986 URI of the page. */
  readonly uri: string
  /** At least 8 letters and digits, issued by the server that verifies the message. */
  readonly nonce: string
  /** RFC 3339, like the two below. */
  readonly issuedAt: string
  readonly expirationTime?: string
  readonly notBefore?: string
  /** One line of ASCII. */
  readonly statement?: string
  readonly requestId?: string
  /** RFC 3986 URIs. */
  readonly resources?: readonly string[]
}

/** A signed sign-in message (CAIP-74). */
export interface Cacao {
  readonly h: { readonly t: 'caip122' | 'eip4361' }
  readonly p: CacaoPayload
  readonly s: { readonly t: 'eip191' | 'eip1271' /** Hex. */; readonly s: string; readonly m?: string }
}

/** The message of a CACAO. Times are RFC 3339. */
export type CacaoPayload = {
  /** `did:pkh:` and a CAIP-10 account. */
  readonly iss: string
  readonly domain: string
  /** URI of the page. */
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

/** Why a relay refused the page for good: its project id, its origin, or the token that identifies its client. */
export type RelayRefusal = 'project' | 'origin' | 'token'

/** How the site introduces itself to a wallet. */
export interface SiteMetadata {
  readonly name: string
  readonly description: string
  /** Origin of the page. */
  readonly url: string
  /** URLs of pictures. */
  readonly icons: readonly string[]
}

/** What a connector factory receives: the list of wallets to add to, and the instance's environment. */
export interface ConnectorContext {
  add(connector: Connector): void
  remove(connectorId: string): void
  readonly projectId: string
  /** Origin of the gateway, without a slash at the end. */
  readonly gatewayUrl: string
  readonly metadata: SiteMetadata
  /** Values of this connector that persist between page loads, under a prefix of the instance. Never throws. */
  readonly storage: KeyValueStorage
  /** Writes to the instance's log, which is bounded and holds no secrets. */
  readonly log: Log
  /** Returns the namespaces that the site lists networks of. */
  namespaces(): readonly Namespace[]
  /** Returns the network of a namespace, by default the active one; the site's default one while the page starts. */
  networkId(namespace?: Namespace): CaipNetworkId
  /** Calls a network's node through the gateway. */
  node(networkId: CaipNetworkId): NodeRequest
  /** Shows why a relay refused the page for good. */
  relayRefused(refusal: RelayRefusal): void
  /**
   * Opens the wallet's app, on a phone that was paired by a deep link, for a request that waits there. After a hand-off,
   * it asks the visitor to open the wallet's page again if that does not answer. Does nothing elsewhere.
   */
  openWallet(request: WaitingRequest): void
}

/** A request that waits for the owner of a wallet. */
export interface WaitingRequest {
  readonly id: number
  readonly topic: string
  /** Resolved when the request is answered, or is over. */
  readonly answered: Promise<unknown>
  /** Pings the wallet. Rejects without an answer in time. */
  ping(): Promise<void>
}

/** Called once in the browser when the instance is mounted; returns a function that stops it. */
export type ConnectorFactory = (context: ConnectorContext) => () => void

/** The app that the visitor paired by a deep link. */
export interface DeepLink {
  /** Base of its links: a universal link (https) or a scheme of its own. */
  readonly href: string
  readonly name: string
}

/** A wallet that can be chosen again: one of the directory, or a remembered one. */
export interface RecentWallet {
  /** The connector's id, or that of the wallet directory. */
  readonly id: string
  readonly name: string
  readonly imageUrl?: string
  readonly rdns?: string
  /** Absent for wallets that were connected without a pairing. */
  readonly links?: PairingLinks
  /** Opens a page in the browser of the wallet's app, in the form of `WalletLink.open`. */
  readonly browserLink?: string
}

/** Bases of the links that hand a pairing to a wallet: a universal link (https) or a scheme of its own. */
export interface PairingLinks {
  readonly mobile?: string
  /** An https URL that the operating system opens with the app. */
  readonly universal?: string
  readonly desktop?: string
  readonly webapp?: string
}
