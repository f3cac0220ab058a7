import { plainText } from '@hawser/client'
import type { UnconfirmedCause as Cause } from '@hawser/client/convert'
import type { UnconfirmedBecause, UnconfirmedCause } from '../types/swap.ts'

const causes: Readonly<Record<Cause, UnconfirmedCause | undefined>> = {
  0: undefined,
  1: 'unanswered',
  2: 'notBuilt',
  3: 'balanceLow',
  4: 'uncounted',
  5: 'severalCalls',
  6: 'failsNow',
}

interface Answer {
  readonly confirmed: boolean
  readonly unconfirmedBecause: string
  readonly unconfirmedCause?: Cause | undefined
  readonly unconfirmedDetail?: string | undefined
}

/** Converts why the gateway did not simulate a quote or a transaction; undefined if it did. */
export function unconfirmedBecause({
  confirmed,
  unconfirmedBecause,
  unconfirmedCause = 0,
  unconfirmedDetail = '',
}: Answer): UnconfirmedBecause | undefined {
  if (confirmed) return undefined
  return {
    text: plainText(unconfirmedBecause),
    cause: causes[unconfirmedCause],
    detail: plainText(unconfirmedDetail),
  }
}
