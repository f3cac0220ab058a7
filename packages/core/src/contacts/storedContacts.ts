import { items } from '../storage/items.ts'
import type { Contact } from '../types/contacts.ts'
import type { Hawser } from '../types/hawser.ts'
import { inOrder } from './contact.ts'
import { hasEmbeddedWallet, pageContacts } from './pageContacts.ts'
import { contactsToCopy, readWalletContacts, writeWalletContacts } from './walletContacts.ts'

/**
 * Reads the contacts from the page's storage, which another tab may have changed. What is not a contact there is left out. With an
 * embedded wallet whose contacts the visitor shares with the site, it returns those instead, once they are read.
 */
export function readContacts(hawser: Hawser): readonly Contact[] {
  if (hasEmbeddedWallet(hawser)) void readWalletContacts(hawser)
  const { wallet, list } = hawser.contacts.getState()
  return wallet === 'shared' ? list : show(hawser, pageContacts(hawser))
}

/**
 * Stores contacts in place of those before: at once in the page's storage; those of a wallet are shown at once, and stored when the
 * promise resolves. A failure is in `ContactsState.problem`, and the contacts are then those of the wallet again.
 */
export async function storeContacts(hawser: Hawser, contacts: readonly Contact[]): Promise<void> {
  const { wallet, list: before } = hawser.contacts.getState()
  show(hawser, contacts)
  if (wallet !== 'shared') hawser.storage.write(items.contacts, contacts)
  else await writeWalletContacts(hawser, before, contacts)
}

/** Copies the contacts of the page to the wallet, which keeps its own names. */
export async function copyContacts(hawser: Hawser): Promise<void> {
  await storeContacts(hawser, [...hawser.contacts.getState().list, ...contactsToCopy(hawser)])
}

function show(hawser: Hawser, contacts: readonly Contact[]): readonly Contact[] {
  const { list: shown } = hawser.contacts.getState()
  const list = inOrder(contacts)
  if (JSON.stringify(list) === JSON.stringify(shown)) return shown
  hawser.contacts.setState({ list })
  return list
}
