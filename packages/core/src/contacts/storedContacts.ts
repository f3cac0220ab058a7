import { embeddedConnector } from '../embedded/logins.ts'
import { importModule } from '../importModule.ts'
import { items } from '../storage/items.ts'
import type { Contact } from '../types/contacts.ts'
import type { Hawser } from '../types/hawser.ts'
import { findContact, inOrder, MOST_CONTACTS, readContact } from './contact.ts'

/**
 * Reads the contacts from the page's storage, which another tab may have changed. What is not a contact there is left out. With an
 * embedded wallet whose contacts the visitor shares with the site, it returns those instead, once they are read.
 */
export function readContacts(hawser: Hawser): readonly Contact[] {
  if (hasEmbeddedWallet(hawser)) void readFromWallet(hawser)
  const { wallet, list } = hawser.contacts.getState()
  return wallet === 'shared' ? list : show(hawser, pageContacts(hawser))
}

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

/**
 * Stores contacts in place of those before: at once in the page's storage; those of a wallet are shown at once, and stored when the
 * promise resolves. A failure is in `ContactsState.problem`, and the contacts are then those of the wallet again.
 */
export async function storeContacts(hawser: Hawser, contacts: readonly Contact[]): Promise<void> {
  const { wallet, list: before } = hawser.contacts.getState()
  show(hawser, contacts)
  if (wallet !== 'shared') hawser.storage.write(items.contacts, contacts)
  else await (await importWalletContacts()).writeWalletContacts(hawser, before, contacts)
}

/** Reports whether an embedded wallet is connected. */
export function hasEmbeddedWallet({ connectors }: Hawser): boolean {
  const { allConnectors, activeConnectorIds } = connectors.getState()
  const embedded = embeddedConnector(allConnectors)
  return embedded !== undefined && Object.values(activeConnectorIds).includes(embedded.id)
}

async function readFromWallet(hawser: Hawser): Promise<void> {
  try {
    await (await importWalletContacts()).readWalletContacts(hawser)
  } catch (error) {
    hawser.log.write('warn', 'the contacts of the wallet were not read', { error: String(error) })
  }
}

/** Loads the code of a wallet's contacts. */
function importWalletContacts() {
  return importModule(() => import('./walletContacts.ts'), 'readWalletContacts')
}

function show(hawser: Hawser, contacts: readonly Contact[]): readonly Contact[] {
  const { list: shown } = hawser.contacts.getState()
  const list = inOrder(contacts)
  if (JSON.stringify(list) === JSON.stringify(shown)) return shown
  hawser.contacts.setState({ list })
  return list
}
