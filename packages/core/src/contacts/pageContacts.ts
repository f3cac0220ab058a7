import { embeddedConnector } from '../embedded/logins.ts'
import { items } from '../storage/items.ts'
import type { Contact } from '../types/contacts.ts'
import type { Hawser } from '../types/hawser.ts'
import { findContact, MOST_CONTACTS, readContact } from './contact.ts'

/** Returns the contacts in the page's storage. */
export function pageContacts(hawser: Hawser): readonly Contact[] {
  const stored = hawser.storage.read<unknown>(items.contacts)
  const list: Contact[] = []
  for (const value of Array.isArray(stored) ? stored.slice(0, MOST_CONTACTS) : []) {
    const contact = readContact(value)
    if (typeof contact !== 'object' || findContact(list, contact.namespace, contact.address)) continue
    list.push(contact)
  }
  return list
}

/** Reports whether an embedded wallet is connected. */
export function hasEmbeddedWallet({ connectors }: Hawser): boolean {
  const { allConnectors, activeConnectorIds } = connectors.getState()
  const embedded = embeddedConnector(allConnectors)
  return embedded !== undefined && Object.values(activeConnectorIds).includes(embedded.id)
}
