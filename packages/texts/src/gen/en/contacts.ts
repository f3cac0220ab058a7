// Generated from packages/texts/languages by make generate. Do not edit.

/** The contacts, and the form of one. */
export const contacts = {
  search: 'Search contacts',
  list: 'Contacts',
  add: 'Add contact',
  empty: { title: 'No contacts yet', text: 'Give an address a name to find it again. Contacts stay in this browser.' },
  /** The contacts of the embedded wallet, and those of this browser that it does not have. */
  wallet: { offer: 'Your wallet keeps contacts encrypted, on all your devices.', use: 'Use the wallet’s contacts', kept: 'These contacts are in your wallet, on all your devices.', empty: 'Give an address a name to find it again on all your devices.', copy: (count: number) => count === 1 ? 'Copy 1 contact of this browser' : `Copy ${count} contacts of this browser`, problem: { damaged: 'The contacts of your wallet can’t be read. Nothing was changed.', full: 'Your wallet has no room for more contacts. Delete some first.', failed: 'The contacts of your wallet couldn’t be reached. Nothing was changed.' } },
  nobody: 'No contact found',
  name: 'Name',
  address: 'Address',
  save: 'Save',
  remove: 'Delete contact',
  removeQuestion: (name: string) => `Delete ${name}?`,
  keep: 'Keep',
  confirm: 'Delete',
  export: 'Export',
  import: 'Import',
  refusals: { name: 'Enter a name of at most 64 characters', address: 'Enter a valid address', exists: 'This address is already a contact', full: 'You have 500 contacts. Delete some first.' },
  imported: { added: (count: number) => count === 1 ? '1 contact added.' : `${count} contacts added.`, known: (count: number) => count === 1 ? '1 was here already.' : `${count} were here already.`, refused: 'Not added:', entry: (place: number) => `Entry ${place}`, why: { name: 'no name of at most 64 characters', address: 'not a valid address', lookAlike: 'looks like another contact', full: 'you have 500 contacts' }, unreadable: 'This is not a file of contacts.', version: 'A newer version wrote this file.' },
} as const
