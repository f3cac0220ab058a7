import type { TypedDataDomain } from 'viem'

/** What the name of the domain of proofs for the service of sessions begins with; the origin of an installation follows. */
export const SESSIONS_DOMAIN = 'Hawser Sessions at '

/** The type of the proof that lists the sessions of an account, which pages of sites request. */
export const LIST_SESSIONS = 'ListSessions'

/** Reports whether typed data of a domain can be a proof for the service of sessions of any installation. */
export function isSessionProof(domain: TypedDataDomain | undefined): boolean {
  // A domain of other types has a name that is no text.
  return String(domain?.name).startsWith(SESSIONS_DOMAIN)
}
