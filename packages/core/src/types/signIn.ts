import type { SiwxSession } from '@hawser/siwe'

/**
 * `off` without the option `siwx`, or without an account. `checking` while the sessions are read; `needed` while the
 * account has none.
 */
export type SignInStatus = 'off' | 'checking' | 'needed' | 'signing' | 'cancelling' | 'signedIn'

/** The sign-in of the active account. */
export interface SignInState {
  readonly status: SignInStatus
  /** Whether the account is disconnected unless it signs in. */
  readonly isRequired: boolean
  readonly session: SiwxSession | undefined
}
