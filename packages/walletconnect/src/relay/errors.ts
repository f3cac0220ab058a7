/** Why a relay refused the client for good: its project id, its origin, or the token that identifies it. */
export type Refusal = 'project' | 'origin' | 'token'

/** A relay refused the client, or did not accept a message in time. */
export class RelayError extends Error {
  override readonly name = 'RelayError'

  constructor(
    message: string,
    /** Set when trying again is of no use until the site or the visitor changes something. */
    readonly refusal?: Refusal,
    /** The JSON-RPC error code of the relay. */
    readonly code?: number,
  ) {
    super(message)
  }
}

/** Classifies the reason of a close with code 3000. */
export function refusalOf(reason: string): Refusal {
  if (/origin/i.test(reason)) return 'origin'
  if (/JWT|token/i.test(reason)) return 'token'
  return 'project'
}

/** Reports whether a refusal may come from a wrong clock on this device. */
export function isClockSkew(reason: string): boolean {
  return /not yet valid|expired/i.test(reason)
}
