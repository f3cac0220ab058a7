import { shownActivity } from '../activity/pages.ts'
import { comparableAddress } from '../address/lookAlike.ts'
import type { SentTransaction } from '../types/activity.ts'
import type { Contact } from '../types/contacts.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'
import { findContact } from './contact.ts'

/**
 * Returns the receiver of a sent transfer as a contact to be, with the name that was typed for it; undefined for a contact, for
 * the sender itself, and for an address that the account sent to before, as far as its history is read.
 */
export function newReceiver(
  hawser: Hawser,
  { owner, transaction, receiverName }: SentTransaction,
): Contact | undefined {
  const { chain, hash } = transaction.metadata
  const address = transaction.transfers[0]?.recipient
  const namespace = chain.split(':')[0] as Namespace
  if (!address || isSame(address, owner.split(':').at(-1) ?? '')) return undefined
  if (findContact(hawser.contacts.getState().list, namespace, address)) return undefined
  const activity = hawser.activity.getState()
  const earlier = activity.owner === owner ? shownActivity(activity) : []
  const isKnown = earlier.some(
    ({ metadata, transfers }) =>
      metadata.hash !== hash &&
      transfers.some(({ direction, recipient }) => direction === 'out' && isSame(recipient, address)),
  )
  return isKnown ? undefined : { namespace, address, name: receiverName ?? '' }
}

function isSame(address: string, other: string): boolean {
  return comparableAddress(address) === comparableAddress(other)
}
