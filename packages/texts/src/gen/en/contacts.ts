// Generated from packages/texts/languages by make generate. Do not edit.

/** The contacts, and the form of one. */
export const contacts = {
  search: 'Search contacts',
  list: 'Contacts',
  add: 'Add contact',
  empty: { title: 'No contacts yet', text: 'Give an address a name to find it again. Contacts stay in this browser.' },
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
