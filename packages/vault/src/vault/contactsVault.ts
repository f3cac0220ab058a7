import type { ContactChange, WalletContact } from '../contacts/records.ts'
import type { Opening } from './opening.ts'
import type { VaultContext } from './vaultContext.ts'

/** The contacts of the wallet: names for addresses, encrypted by a key of the wallet, and the same on every device. */
export interface ContactsVault {
  /** Returns the origins of the sites that the signed-in user shares the contacts with on this device. */
  listContactSites(): Promise<readonly string[]>
  /** Stores that the user shares the contacts with a site, until the session ends. */
  shareContacts(site: string): Promise<void>
  /** Ends that the user shares the contacts with a site. */
  unshareContacts(site: string): Promise<void>
  /** Returns the contacts. The wallet must be open. @throws CallError `contactsDamaged` */
  listContacts(): Promise<readonly WalletContact[]>
  /**
   * Changes contacts, and returns all of them. The wallet must be open. What another device wrote meanwhile is merged.
   *
   * @throws CallError `contactsDamaged`; `contactsFull` over 500 contacts, or where they do not fit into 60 KiB;
   *   `CONTACTS_CHANGED` if other devices write all the time
   */
  changeContacts(changes: readonly ContactChange[]): Promise<readonly WalletContact[]>
}

/** Creates the part of a page's vault that reads and changes contacts. Its code is loaded with the first call. */
export function createContactsVault(context: VaultContext, opening: Opening): ContactsVault {
  const load = async () => (await import('../contacts/contacts.ts')).createContacts(context, opening)
  return {
    listContactSites: async () => (await load()).listContactSites(),
    shareContacts: async (site) => (await load()).shareContacts(site),
    unshareContacts: async (site) => (await load()).unshareContacts(site),
    listContacts: async () => (await load()).listContacts(),
    changeContacts: async (changes) => (await load()).changeContacts(changes),
  }
}
