import { refuse } from './refusal.ts'

/** The terms of a swap that the visitor confirmed. Addresses are plain and in lower case; `0xeeee…eeee` is the native currency. */
export interface SwapTerms {
  readonly user: string
  readonly sold: string
  readonly bought: string
  /** The wrapped native currency. */
  readonly wrapped: string
  /** Base units of the sold token. */
  readonly amount: bigint
  /** The minimum output, in base units of the bought token. */
  readonly minimum: bigint
  /** Unix seconds. */
  readonly now: number
}

/** The guaranteed effect of a call that does not revert. */
export interface Effect {
  /** Base units of the sold token that it takes. */
  readonly taken: bigint
  /** The least that the user receives, in base units of the bought token. */
  readonly paid: bigint
  /** The Settler of 0x that guarantees the effect: plain address, lower case, to be looked up in the registry of 0x. */
  readonly settler?: string
}

/** The terms for one call. */
export interface CallTerms extends SwapTerms {
  /** The called contract. */
  readonly target: string
  /** Wei that the call sends. */
  readonly value: bigint
}

/** Decodes the effect of a call. @throws VerificationError if the call could have any other effect. */
export type CallReader = (selector: string, body: string, terms: CallTerms) => Effect

/** The longest accepted deadline, in seconds from now. */
const LONGEST_DEADLINE = 3_600

export const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'

/**
 * Verifies a deadline.
 *
 * @throws VerificationError for one that is more than an hour away.
 */
export function requireSoon(deadline: bigint, { now }: Pick<SwapTerms, 'now'>): void {
  if (deadline > BigInt(now + LONGEST_DEADLINE)) refuse('deadlineFar')
}

/** Returns the token that pools hold: the wrapped token for the native currency. */
export function traded(token: string, { wrapped }: SwapTerms): string {
  return token === NATIVE ? wrapped : token
}
