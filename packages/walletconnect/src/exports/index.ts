export type { Clock, Environment, KeyValueStorage, Log, Socket } from '../environment.ts'
export type { CreatedHandoff, HandoffState, SiteGateway } from '../handoff/gateway.ts'
export type { PendingHandoff } from '../handoff/siteHandoff.ts'
export { type Refusal, RelayError } from '../relay/errors.ts'
export type { RelayOptions } from '../relay/relayAddress.ts'
export { type AuthPayload, formatCacaoMessage } from '../sign/cacao.ts'
export type { CoreOptions } from '../sign/core.ts'
export { SignError, signErrorCode } from '../sign/errors.ts'
export {
  type ApprovedNamespace,
  type ApprovedNamespaces,
  accountsOf,
  chainOf,
  type ProposedNamespace,
  type ProposedNamespaces,
} from '../sign/namespaces.ts'
export type { PendingPairing } from '../sign/pairings.ts'
export { formatPairingUri, type PairingUri, parsePairingUri } from '../sign/pairingUri.ts'
export type { PairRequest } from '../sign/pairRequest.ts'
export type { Cacao, CacaoPayload, Metadata, Peer, Properties, Session } from '../sign/session.ts'
export {
  createSignClient,
  type SessionRequest,
  type SignClient,
  type SignListener,
} from '../sign/signClient.ts'
