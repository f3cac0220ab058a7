import { describe, expect, it } from 'vitest'
import { ALICE, BOB } from '../testing/fakeWallet.ts'
import { createConnectedKit } from '../testing/kit.ts'
import { seededRandom } from '../testing/seededRandom.ts'
import type { Contact } from '../types/contacts.ts'
import { readContact } from './contact.ts'
import { importContacts, LONGEST_CONTACTS_FILE, writeContactsFile } from './contactsFile.ts'
import { addContact } from './editContacts.ts'
import { storeContacts } from './storedContacts.ts'

/** Its ends are those of Bob's address. */
const LIKE_BOB = '0x7099000000000000000000000000000000dc79c8'
const bob: Contact = { namespace: 'eip155', address: BOB, name: 'Bob' }
const alice: Contact = { namespace: 'eip155', address: ALICE, name: 'Alice' }

const fileOf = (contacts: unknown, change: object = {}) =>
  JSON.stringify({ format: 'hawser-contacts', version: 1, contacts, ...change })

it('a file has a format, a version and the contacts', () => {
  expect(JSON.parse(writeContactsFile([bob]))).toEqual({
    format: 'hawser-contacts',
    version: 1,
    contacts: [{ namespace: 'eip155', address: BOB, name: 'Bob' }],
  })
})

describe('a file', () => {
  it('is merged: contacts that are there keep their names', async () => {
    const { hawser } = await createConnectedKit()
    await addContact(hawser, bob)
    const file = fileOf([
      { ...bob, address: BOB.toLowerCase(), name: 'Robert' },
      alice,
      { ...alice, name: 'A' },
    ])
    expect(await importContacts(hawser, file)).toEqual({ status: 'read', added: 1, known: 2, refused: [] })
    expect(hawser.contacts.getState().list).toEqual([alice, bob])
  })

  it('says which of its contacts are refused, and why', async () => {
    const { hawser } = await createConnectedKit()
    await addContact(hawser, bob)
    const values = [
      { ...alice, address: ALICE.replace('F6', 'f6') },
      { ...alice, name: '' },
      null,
      { namespace: 'eip155', address: LIKE_BOB, name: 'Bob' },
      alice,
    ]
    expect(await importContacts(hawser, fileOf(values))).toEqual({
      status: 'read',
      added: 1,
      known: 0,
      refused: [
        { place: 1, name: 'Alice', why: 'address' },
        { place: 2, name: '', why: 'name' },
        { place: 3, name: undefined, why: 'address' },
        { place: 4, name: 'Bob', why: 'lookAlike' },
      ],
    })
  })

  it('fills the page up to 500', async () => {
    const { hawser } = await createConnectedKit()
    const many = Array.from({ length: 499 }, (_, index) => ({
      namespace: 'eip155' as const,
      address: `0x${(index + 1).toString(16).padStart(4, '0').repeat(10)}`,
      name: 'Contact',
    }))
    storeContacts(hawser, many)
    expect(await importContacts(hawser, fileOf([alice, bob]))).toMatchObject({
      added: 1,
      refused: [{ place: 2, name: 'Bob', why: 'full' }],
    })
  })

  it.each([
    ['of a later version', fileOf([], { version: 2 }), 'version'],
    ['of another format', fileOf([], { format: 'contacts' }), 'unreadable'],
    ['without a version', fileOf([], { version: undefined }), 'unreadable'],
    ['without contacts', fileOf({}), 'unreadable'],
    ['that is no JSON', 'Bob,0x', 'unreadable'],
    ['that is empty', '', 'unreadable'],
    ['that is null', 'null', 'unreadable'],
    ['that is too long', fileOf([]) + ' '.repeat(LONGEST_CONTACTS_FILE), 'unreadable'],
  ])('%s is not read', async (_, text, status) => {
    const { hawser } = await createConnectedKit()
    await addContact(hawser, bob)
    expect(await importContacts(hawser, text)).toEqual({ status })
    expect(hawser.contacts.getState().list).toEqual([bob])
  })

  it('that was written is read as it was', async () => {
    const random = seededRandom(7)
    const hex = () => Math.floor(random() * 16).toString(16)
    const contacts = Array.from({ length: 100 }, (_, index) => ({
      namespace: 'eip155' as const,
      address: `0x${Array.from({ length: 40 }, hex).join('')}`,
      name: `Contact ${String(index).padStart(3, '0')} "\\ ünïcode`,
    }))
    const { hawser } = await createConnectedKit()
    expect(await importContacts(hawser, writeContactsFile(contacts))).toMatchObject({
      added: 100,
      refused: [],
    })
    expect(hawser.contacts.getState().list).toEqual(contacts)
  })

  it('that is damaged leaves contacts alone, or names', async () => {
    const random = seededRandom(64)
    const { hawser } = await createConnectedKit()
    const text = writeContactsFile([bob, alice])
    for (let round = 0; round < 2_000; round += 1) {
      storeContacts(hawser, [])
      const at = Math.floor(random() * text.length)
      const letter = String.fromCharCode(32 + Math.floor(random() * 95))
      const outcome = await importContacts(hawser, text.slice(0, at) + letter + text.slice(at + 1))
      const { list } = hawser.contacts.getState()
      if (outcome.status !== 'read') expect(list).toEqual([])
      else expect(list.length + outcome.refused.length).toBe(2)
      for (const contact of list) expect(readContact(contact)).toEqual(contact)
    }
  })
})
