import { items } from '../storage/items.ts'
import type { Contact } from '../types/contacts.ts'
import type { Hawser } from '../types/hawser.ts'
import { findContact, inOrder, MOST_CONTACTS, readContact } from './contact.ts'

/** Reads the contacts from the page's storage, which another tab may have changed. What is not a contact there is left out. */
export function readContacts(hawser: Hawser): readonly Contact[] {
  const stored = hawser.storage.read<unknown>(items.contacts)
  const list: Contact[] = []
  for (const value of Array.isArray(stored) ? stored.slice(0, MOST_CONTACTS) : []) {
    const contact = readContact(value)
    if (typeof contact !== 'object' || findContact(list, contact.namespace, contact.address)) continue
    list.push(contact)
  }
  return show(hawser, list)
}

/** Stores contacts in place of those before. */
export function storeContacts(hawser: Hawser, contacts: readonly Contact[]): void {
  hawser.storage.write(items.contacts, contacts)
  show(hawser, contacts)
}

function show(hawser: Hawser, contacts: readonly Contact[]): readonly Contact[] {
  const { list: shown } = hawser.contacts.getState()
  const list = inOrder(contacts)
  if (JSON.stringify(list) === JSON.stringify(shown)) return shown
  hawser.contacts.setState({ list })
  return list
}
