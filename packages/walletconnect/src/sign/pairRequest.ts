import type { AuthPayload } from './cacao.ts'
import { SignError, signErrorCode } from './errors.ts'
import type { ProposedNamespaces } from './namespaces.ts'
import type { Properties } from './session.ts'

export interface PairRequest {
  readonly requiredNamespaces?: ProposedNamespaces
  readonly optionalNamespaces: ProposedNamespaces
  readonly sessionProperties?: Properties
  readonly scopedProperties?: Properties
  /** URLs of the relays that it is proposed on; all of the client by default. */
  readonly relayUrls?: readonly string[]
  /** Also requests a signed sign-in message, and the methods of `eip155` in it; wallets that cannot answer the proposal. */
  readonly authentication?: Omit<AuthPayload, 'type' | 'version' | 'chains'>
}

/** A pairing that is open, as its requests need it. */
export interface Attempt {
  readonly pairingTopic: string
  /** Unix milliseconds. */
  readonly expiresAt: number
  /** The same in Unix seconds. */
  readonly expiryTimestamp: number
  readonly relayUrls: readonly string[] | undefined
  /** Aborted when the pairing is over. */
  readonly signal: AbortSignal
}

/** Returns the error of a pairing that the site cancels. */
export function cancelled(): SignError {
  return new SignError(signErrorCode.userDisconnected, 'the pairing was cancelled')
}
