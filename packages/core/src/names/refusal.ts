import { GatewayError, type ReasonName } from '@hawser/client'
import { nameRefusals } from '@hawser/texts/en/nameRefusals'
import { type Message, messagesOf } from '@hawser/texts/message'

/** Why the gateway refuses a registration or a change of a name. */
export type NameRefusal = keyof typeof nameRefusals

const refusal = messagesOf('nameRefusals', nameRefusals)

/** A reason that only a mistake of this page causes has no sentence. */
const keys: ReadonlyMap<ReasonName | undefined, NameRefusal> = new Map([
  ['ADDRESS_INVALID', 'addressInvalid'],
  ['ATTRIBUTE_INVALID', 'fieldInvalid'],
  ['CHAIN_UNAVAILABLE', 'networkUnavailable'],
  ['CHANGES_LIMITED', 'tooManyChanges'],
  ['COIN_TYPE_UNSUPPORTED', 'networkUnsupported'],
  ['NAME_ABSENT', 'unregistered'],
  ['NAME_INVALID', 'nameInvalid'],
  ['NAME_RESERVED', 'reserved'],
  ['NAME_TAKEN', 'taken'],
  ['NAME_UNREGISTERED', 'unregistered'],
  ['OWNER_MISMATCH', 'notOwner'],
  ['RATE_LIMITED', 'tooManyRequests'],
  ['SERVICE_UNAVAILABLE', 'unavailable'],
  ['SIGNATURE_INVALID', 'signatureOther'],
  ['SIGNATURE_USED', 'signatureUsed'],
  ['TIMESTAMP_STALE', 'signatureExpired'],
])

/** Returns why the gateway refused; undefined for a reason without a sentence, and for an error that is not the gateway's. */
export function refusalOf(error: unknown): Message | undefined {
  const why = error instanceof GatewayError ? keys.get(error.reason) : undefined
  return why && refusal(why)
}
