import type { RpcFailure, RpcId } from '../jsonRpc.ts'
import type { AuthPayload } from './cacao.ts'
import type { CoreListener } from './core.ts'
import type { ApprovedNamespaces, ProposedNamespaces } from './namespaces.ts'
import type { Cacao, Metadata, Peer, Properties, Session } from './session.ts'

/** A session that a site proposes. */
export interface Proposal {
  readonly pairingTopic: string
  readonly proposer: Peer
  readonly requiredNamespaces: ProposedNamespaces
  readonly optionalNamespaces: ProposedNamespaces
  readonly sessionProperties?: Properties
  readonly scopedProperties?: Properties
  /** Approves. Resolved when the relay has stored the answer. @throws SignError for invalid namespaces; RelayError */
  approve(approval: Approval): Promise<Session>
  /** Declines, with code 5000 by default. */
  reject(failure?: RpcFailure): Promise<void>
}

export interface Approval {
  readonly namespaces: ApprovedNamespaces
  readonly sessionProperties?: Properties
  readonly scopedProperties?: Properties
}

/** A sign-in message that a site requests together with a session. */
export interface AuthenticationProposal {
  readonly requester: { readonly publicKey: string; readonly metadata: Metadata }
  readonly payload: AuthPayload
  /** Answers with signed messages; `namespaces` are those of the session that they grant. */
  approve(cacaos: readonly Cacao[], namespaces: ApprovedNamespaces): Promise<Session>
  reject(failure?: RpcFailure): Promise<void>
}

/** A request of a site. */
export interface WalletRequest {
  readonly session: Session
  /** Of the session; the same when a relay delivers the request again. */
  readonly id: RpcId
  /** CAIP-2. */
  readonly chainId: string
  readonly method: string
  readonly params: unknown
  /** Unix milliseconds; undefined when the site named no time. */
  readonly expiresAt: number | undefined
  respond(result: unknown): Promise<void>
  reject(failure: RpcFailure): Promise<void>
}

/**
 * What a wallet does with what arrives. Where a promise is returned, the relay keeps the message until it is resolved, and
 * delivers it again to a page that is loaded meanwhile.
 */
export interface WalletListener extends CoreListener {
  proposed?(proposal: Proposal): void | Promise<void>
  /** Absent: the site falls back to its proposal. */
  authenticate?(proposal: AuthenticationProposal): void
  requested?(request: WalletRequest): void | Promise<void>
}
