import { adapterOf, hasAdapter } from '../chain/adapters.ts'
import type { Contact } from '../types/contacts.ts'
import type { Hawser } from '../types/hawser.ts'
import { type ContactProblem, findContact, MOST_CONTACTS, readContact } from './contact.ts'
import { readContacts, storeContacts } from './storedContacts.ts'

/**
 * Why a contact is not stored.
 *
 * - `name`: it has none, or a longer one than 64 characters.
 * - `address`: it is not an address of the namespace.
 * - `exists`: the address has a contact.
 * - `full`: the page stores no more than 500.
 */
export type ContactRefusal = ContactProblem | 'exists' | 'full'

/** Adds a contact. Returns why it is not stored; undefined once it is. */
export async function addContact(hawser: Hawser, draft: Contact): Promise<ContactRefusal | undefined> {
  const contact = await verifyContact(hawser, draft)
  if (typeof contact === 'string') return contact
  const contacts = readContacts(hawser)
  if (findContact(contacts, contact.namespace, contact.address)) return 'exists'
  if (contacts.length >= MOST_CONTACTS) return 'full'
  await storeContacts(hawser, [...contacts, contact])
  return undefined
}

/** Gives the contact of an address another name. Returns why it is not stored; undefined once it is. */
export function renameContact(
  hawser: Hawser,
  { namespace, address }: Contact,
  name: string,
): 'name' | undefined {
  const renamed = readContact({ namespace, address, name })
  if (typeof renamed === 'string') return 'name'
  const contacts = readContacts(hawser)
  const before = findContact(contacts, namespace, address)
  void storeContacts(
    hawser,
    contacts.map((each) => (each === before ? { ...each, name: renamed.name } : each)),
  )
  return undefined
}

/** Removes the contact of an address. */
export function removeContact(hawser: Hawser, { namespace, address }: Contact): void {
  const contacts = readContacts(hawser)
  const removed = findContact(contacts, namespace, address)
  void storeContacts(
    hawser,
    contacts.filter((each) => each !== removed),
  )
}

/**
 * Returns a contact whose address is one of its namespace, its checksum included where the site has networks of the
 * namespace, or why it is not one.
 *
 * @throws the error of the import when the code of the namespace does not load.
 */
export async function verifyContact(hawser: Hawser, value: unknown): Promise<Contact | ContactProblem> {
  const contact = readContact(value)
  if (typeof contact === 'string' || !hasAdapter(hawser, contact.namespace)) return contact
  const transfers = await (await adapterOf(hawser, contact.namespace)).transfers()
  return transfers.isAddress(contact.address) ? contact : 'address'
}
