import type { Cacao } from './connector.ts'
import type { CaipNetworkId } from './network.ts'

/**
 * Signs accounts in by a message that their wallet signs (ERC-4361, CAIP-122): what the option `siwx` takes. The
 * package `@hawser/siwe` has one for the gateway's sign-in and for a server of the site.
 */
export interface SignIn {
  /** Returns the message for an account to sign, with a fresh nonce. */
  createMessage(input: SignInInput): Promise<SignInMessage>
  /** Opens a session for a signed message. Rejects when the signature is not accepted. */
  addSession(session: SignInSession): Promise<void>
  /** Replaces all sessions: by those of a one-click sign-in, or by none to sign out. */
  setSessions(sessions: readonly SignInSession[]): Promise<void>
  /** Returns the sessions that are valid for an account on a network; an account without one has to sign in. */
  getSessions(chainId: CaipNetworkId, accountAddress: string): Promise<readonly SignInSession[]>
  /** Ends the sessions of an account on a network. */
  revokeSession(chainId: CaipNetworkId, accountAddress: string): Promise<void>
  /** Reports whether an account that does not sign in is disconnected; true by default. */
  getRequired?(): boolean
  /** Whether disconnecting also signs out; true by default. */
  readonly signOutOnDisconnect?: boolean
}

export interface SignInInput {
  readonly chainId: CaipNetworkId
  /** Plain address; empty before a one-click sign-in, whose wallet adds it. */
  readonly accountAddress: string
}

/** The fields of a message (ERC-4361). Times are RFC 3339. */
export interface SignInData extends SignInInput {
  /** RFC 3986 authority. */
  readonly domain: string
  /** RFC 3986 URI. */
  readonly uri: string
  readonly version: string
  readonly nonce: string
  readonly statement?: string | undefined
  readonly issuedAt?: string | undefined
  readonly expirationTime?: string | undefined
  readonly notBefore?: string | undefined
  readonly requestId?: string | undefined
  readonly resources?: readonly string[] | undefined
}

export interface SignInMessage extends SignInData {
  /** Returns the text to sign. */
  toString(): string
}

export interface SignInSession {
  readonly data: SignInData
  /** The text that was signed. */
  readonly message: string
  /** 0x and hex digits. */
  readonly signature: string
  /** The signed message as a wallet returned it through a relay (CAIP-74). */
  readonly cacao?: Cacao
}

/**
 * `off` without the option `siwx`, or without an account. `checking` while the sessions are read; `needed` while the
 * account has none.
 */
export type SignInStatus = 'off' | 'checking' | 'needed' | 'signing' | 'cancelling' | 'signedIn'

export interface SignInState {
  readonly status: SignInStatus
  /** Whether the account is disconnected unless it signs in. */
  readonly isRequired: boolean
  readonly session: SignInSession | undefined
}
