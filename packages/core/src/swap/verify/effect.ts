import { refuse } from './refusal.ts'

/** What the visitor agreed to. Addresses are plain and in lower case; `0xeeee…eeee` is the native currency. */
export interface SwapTerms {
  readonly user: string
  readonly sold: string
  readonly bought: string
  /** The wrapped native currency. */
  readonly wrapped: string
  /** Base units of the sold token. */
  readonly amount: bigint
  /** The least that is accepted, in base units of the bought token. */
  readonly minimum: bigint
  /** Unix seconds. */
  readonly now: number
}

/** What one call does for sure if it does not revert. */
export interface Effect {
  /** Base units of the sold token that it takes. */
  readonly taken: bigint
  /** Base units of the bought token that the user is paid at least. */
  readonly paid: bigint
  /** The Settler of 0x that holds to this: plain address, lower case. Whether it is one, its registry knows. */
  readonly settler?: string
}

/** The terms as a reader of one call needs them. */
export interface CallTerms extends SwapTerms {
  /** Wei that the call sends along. */
  readonly value: bigint
}

/** Reads what a call does. @throws VerificationError when it may do anything else. */
export type CallReader = (selector: string, body: string, terms: CallTerms) => Effect

/** A transaction that can be mined for longer than this is refused, in seconds. */
export const LONGEST_DEADLINE = 3_600

export const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'

/** Refuses what could still be mined in an hour. */
export function requireSoon(deadline: bigint, { now }: Pick<SwapTerms, 'now'>): void {
  if (deadline > BigInt(now + LONGEST_DEADLINE)) refuse('The deadline is more than an hour away')
}

/** The token that routers trade in place of the native currency. */
export function traded(token: string, { wrapped }: SwapTerms): string {
  return token === NATIVE ? wrapped : token
}
