import { plainText } from '@hawser/client'
import { addressKind } from '../address/addressKind.ts'
import { comparableAddress } from '../address/lookAlike.ts'
import type { Contact } from '../types/contacts.ts'
import type { Namespace } from '../types/network.ts'

/** The page stores at most this many contacts. */
export const MOST_CONTACTS = 500
/** Characters of a contact's name. */
const LONGEST_CONTACT_NAME = 64

/** Returns the contact of an address; undefined if it has none. */
export function findContact(
  contacts: readonly Contact[],
  namespace: Namespace,
  address: string,
): Contact | undefined {
  const compared = comparableAddress(address)
  return contacts.find(
    (contact) => contact.namespace === namespace && comparableAddress(contact.address) === compared,
  )
}

/** Returns a name as a contact may have it, as plain text; undefined for an empty one and for more than 64 characters. */
export function contactName(text: string): string | undefined {
  const name = plainText(text).trim()
  return name !== '' && [...name].length <= LONGEST_CONTACT_NAME ? name : undefined
}

/** Why a value is not a contact. */
export type ContactProblem = 'address' | 'name'

/** Reads a contact of storage or of a file. The checksum of its address is not verified. */
export function readContact(value: unknown): Contact | ContactProblem {
  const { namespace, address, name } = Object(value) as Readonly<Record<keyof Contact, unknown>>
  if (typeof address !== 'string' || addressKind(address) !== namespace) return 'address'
  const plain = typeof name === 'string' ? contactName(name) : undefined
  return plain === undefined ? 'name' : { namespace: namespace as Namespace, address, name: plain }
}

/** Returns contacts in the order of their names. */
export function inOrder(contacts: readonly Contact[]): readonly Contact[] {
  return [...contacts].sort((a, b) => a.name.localeCompare(b.name))
}

/** Returns the contacts whose name or address contains a text. */
export function searchContacts(contacts: readonly Contact[], text: string): readonly Contact[] {
  const wanted = text.trim().toLowerCase()
  return contacts.filter(({ name, address }) =>
    [name, address].some((each) => each.toLowerCase().includes(wanted)),
  )
}
