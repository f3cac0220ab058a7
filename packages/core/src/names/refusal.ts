import { GatewayError, type ReasonName } from '@hawser/client'

/** Why the gateway refuses a registration or a change of a name, as a sentence for the visitor; pages translate it as a whole. */
export type NameRefusal =
  | 'A field can’t be saved. Check what you entered.'
  | 'Names aren’t supported on this network.'
  | 'Names can’t be changed right now. Try again in a moment.'
  | 'The network doesn’t answer. Try again in a moment.'
  | 'The signature has expired. Check the clock of your device, then try again.'
  | 'The signature isn’t from this account. Check your wallet, then try again.'
  | 'This account doesn’t own the name.'
  | 'This account changed too many names. Try again in an hour.'
  | 'This address can’t be used.'
  | 'This name can’t be used.'
  | 'This name is reserved.'
  | 'This name is taken.'
  | 'This name isn’t registered any more.'
  | 'This signature was used before. Try again.'
  | 'Too many requests. Try again later.'

/** A reason that only a mistake of this page causes has no sentence. */
const refusals: ReadonlyMap<ReasonName | undefined, NameRefusal> = new Map([
  ['ADDRESS_INVALID', 'This address can’t be used.'],
  ['ATTRIBUTE_INVALID', 'A field can’t be saved. Check what you entered.'],
  ['CHAIN_UNAVAILABLE', 'The network doesn’t answer. Try again in a moment.'],
  ['CHANGES_LIMITED', 'This account changed too many names. Try again in an hour.'],
  ['COIN_TYPE_UNSUPPORTED', 'Names aren’t supported on this network.'],
  ['NAME_ABSENT', 'This name isn’t registered any more.'],
  ['NAME_INVALID', 'This name can’t be used.'],
  ['NAME_RESERVED', 'This name is reserved.'],
  ['NAME_TAKEN', 'This name is taken.'],
  ['NAME_UNREGISTERED', 'This name isn’t registered any more.'],
  ['OWNER_MISMATCH', 'This account doesn’t own the name.'],
  ['RATE_LIMITED', 'Too many requests. Try again later.'],
  ['SERVICE_UNAVAILABLE', 'Names can’t be changed right now. Try again in a moment.'],
  ['SIGNATURE_INVALID', 'The signature isn’t from this account. Check your wallet, then try again.'],
  ['SIGNATURE_USED', 'This signature was used before. Try again.'],
  ['TIMESTAMP_STALE', 'The signature has expired. Check the clock of your device, then try again.'],
])

/** Returns why the gateway refused; undefined for a reason without a sentence, and for an error that is not the gateway's. */
export function refusalOf(error: unknown): NameRefusal | undefined {
  return error instanceof GatewayError ? refusals.get(error.reason) : undefined
}
