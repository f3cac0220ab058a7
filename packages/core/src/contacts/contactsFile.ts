import { lookAlike } from '../address/lookAlike.ts'
import type { Contact } from '../types/contacts.ts'
import type { Hawser } from '../types/hawser.ts'
import { type ContactProblem, findContact, MOST_CONTACTS } from './contact.ts'
import { verifyContact } from './editContacts.ts'
import { readContacts, storeContacts } from './storedContacts.ts'

const FORMAT = 'hawser-contacts'
const VERSION = 1

/** Characters of a file; that of 500 contacts has about 100,000. */
export const LONGEST_CONTACTS_FILE = 262_144

/**
 * Returns contacts as the text of a file, which is JSON: `{"format": "hawser-contacts", "version": 1, "contacts": [{"namespace":
 * "eip155", "address": "0x…", "name": "Bob"}]}`.
 */
export function writeContactsFile(contacts: readonly Contact[]): string {
  return JSON.stringify({ format: FORMAT, version: VERSION, contacts }, null, 2)
}

/** A contact of a file that was not taken. */
export interface RefusedContact {
  /** Its place in the file, from 1. */
  readonly place: number
  /** Its name; undefined if it has none. */
  readonly name: string | undefined
  /** `lookAlike`: it looks like another contact. `full`: the page stores no more. */
  readonly why: ContactProblem | 'lookAlike' | 'full'
}

/** What came of a file. */
export type ContactsImport =
  | {
      readonly status: 'read'
      readonly added: number
      /** Contacts whose addresses have one: they keep their names. */
      readonly known: number
      readonly refused: readonly RefusedContact[]
    }
  /** `version`: it was written by a later version. */
  | { readonly status: 'unreadable' | 'version' }

/** Adds the contacts of a file to those that are stored. */
export async function importContacts(hawser: Hawser, text: string): Promise<ContactsImport> {
  const file = readFile(text)
  if (typeof file === 'string') return { status: file }
  const verified: (Contact | ContactProblem)[] = []
  for (const value of file) verified.push(await verifyContact(hawser, value))

  const contacts = [...readContacts(hawser)]
  const before = contacts.length
  const refused: RefusedContact[] = []
  let known = 0
  for (const [index, contact] of verified.entries()) {
    const refuse = (why: RefusedContact['why']) =>
      refused.push({ place: index + 1, name: nameOf(file[index]), why })
    if (typeof contact === 'string') refuse(contact)
    else if (findContact(contacts, contact.namespace, contact.address)) known += 1
    else if (looksLikeAnother(contact, contacts)) refuse('lookAlike')
    else if (contacts.length >= MOST_CONTACTS) refuse('full')
    else contacts.push(contact)
  }
  await storeContacts(hawser, contacts)
  return { status: 'read', added: contacts.length - before, known, refused }
}

/** Returns the entries of a contacts file, not checked yet, or why the file cannot be read. */
function readFile(text: string): readonly unknown[] | 'unreadable' | 'version' {
  if (text.length > LONGEST_CONTACTS_FILE) return 'unreadable'
  try {
    const { format, version, contacts } = Object(JSON.parse(text))
    if (format !== FORMAT || !Number.isInteger(version) || !Array.isArray(contacts)) return 'unreadable'
    return version > VERSION ? 'version' : contacts
  } catch {
    return 'unreadable'
  }
}

function looksLikeAnother({ namespace, address }: Contact, contacts: readonly Contact[]): boolean {
  const others = contacts.filter((each) => each.namespace === namespace)
  return (
    lookAlike(
      address,
      others.map((each) => each.address),
    ) !== undefined
  )
}

function nameOf(value: unknown): string | undefined {
  const { name } = Object(value)
  return typeof name === 'string' ? name : undefined
}
