import { describe, expect, it, vi } from 'vitest'
import { ALICE, BOB } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit } from '../testing/kit.ts'
import { seededRandom } from '../testing/seededRandom.ts'
import type { Contact } from '../types/contacts.ts'
import { contactName, findContact, MOST_CONTACTS, readContact, searchContacts } from './contact.ts'
import { addContact, removeContact, renameContact } from './editContacts.ts'
import { readContacts, storeContacts } from './storedContacts.ts'

const KEY = '@hawser/v1/contacts'
const SOLANA_BOB = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const bob: Contact = { namespace: 'eip155', address: BOB, name: 'Bob' }
const alice: Contact = { namespace: 'eip155', address: ALICE, name: 'Alice' }
const bobOnSolana: Contact = { namespace: 'solana', address: SOLANA_BOB, name: 'Bob' }
/** Returns one of many different contacts. */
const contactNumber = (number: number): Contact => ({
  namespace: 'eip155',
  address: `0x${number.toString(16).padStart(40, '0')}`,
  name: `Contact ${number}`,
})

describe('the name of a contact', () => {
  it.each([
    ['  Bob  of \n the bank ', 'Bob of the bank'],
    ['Bob\u202e\u200b', 'Bob'],
    ['😀'.repeat(64), '😀'.repeat(64)],
    ['a'.repeat(65), undefined],
    [' \u200b ', undefined],
    ['', undefined],
  ])('%j is %j', (text, name) => {
    expect(contactName(text)).toBe(name)
  })
})

describe('a stored value', () => {
  it.each([
    ['a contact', bob, bob],
    ['a contact with other fields', { ...bob, note: 'x' }, bob],
    ['an address of another namespace', { ...bob, namespace: 'solana' }, 'address'],
    ['an unknown namespace', { ...bob, namespace: 'cosmos' }, 'address'],
    ['no address', { ...bob, address: undefined }, 'address'],
    ['a name that is no text', { ...bob, name: 1 }, 'name'],
    ['nothing', null, 'address'],
    ['a text', 'Bob', 'address'],
  ])('that is %s is read as that', (_, value, read) => {
    expect(readContact(value)).toEqual(read)
  })
})

describe('contacts', () => {
  it('are added in the order of their names, and found by another spelling of the address', async () => {
    const { hawser } = await createConnectedKit()
    for (const contact of [bob, alice, bobOnSolana]) expect(await addContact(hawser, contact)).toBeUndefined()
    const { list } = hawser.contacts.getState()
    expect(list).toEqual([alice, bob, bobOnSolana])
    expect(findContact(list, 'eip155', BOB.toLowerCase())).toEqual(bob)
    expect(findContact(list, 'solana', BOB)).toBeUndefined()
    expect(findContact(list, 'solana', SOLANA_BOB.toLowerCase())).toBeUndefined()
  })

  it.each([
    ['an address that has one', { ...bob, address: BOB.toLowerCase() }, 'exists'],
    ['an address with a wrong checksum', { ...alice, address: ALICE.replace('F6', 'f6') }, 'address'],
    ['no name', { ...alice, name: ' ' }, 'name'],
  ])('are not added for %s', async (_, contact, refusal) => {
    const { hawser } = await createConnectedKit()
    await addContact(hawser, bob)
    expect(await addContact(hawser, contact)).toBe(refusal)
    expect(hawser.contacts.getState().list).toEqual([bob])
  })

  it('are at most 500', async () => {
    const { hawser } = await createConnectedKit()
    storeContacts(
      hawser,
      Array.from({ length: MOST_CONTACTS }, (_, index) => contactNumber(index + 1)),
    )
    expect(await addContact(hawser, bob)).toBe('full')
  })

  it('are renamed and removed', async () => {
    const { hawser } = await createConnectedKit()
    await addContact(hawser, bob)
    expect(renameContact(hawser, { ...bob, address: BOB.toLowerCase() }, ' Robert ')).toBeUndefined()
    expect(hawser.contacts.getState().list).toEqual([{ ...bob, name: 'Robert' }])
    expect(renameContact(hawser, bob, '')).toBe('name')
    removeContact(hawser, bob)
    expect(hawser.contacts.getState().list).toEqual([])
  })

  it('are there at the next visit, and those of another tab stay', async () => {
    const { hawser, storage } = await createConnectedKit()
    await addContact(hawser, bob)
    const other = createKit({ storage })
    expect(readContacts(other.hawser)).toEqual([bob])
    await addContact(other.hawser, alice)
    await addContact(hawser, bobOnSolana)
    expect(hawser.contacts.getState().list).toEqual([alice, bob, bobOnSolana])
  })

  it('are read without what is none, and without doubles', () => {
    const { hawser, storage } = createKit()
    const stored = [bob, { ...bob, name: 'Other' }, 7, null, { ...alice, name: '\u202eAlice' }]
    storage.setItem(KEY, JSON.stringify(stored))
    expect(readContacts(hawser)).toEqual([alice, bob])
    storage.setItem(KEY, '{"a":1}')
    expect(readContacts(hawser)).toEqual([])
  })

  it('are kept for the visit where storage is denied', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const denied = () => {
      throw new Error('denied')
    }
    const { hawser } = await createConnectedKit({
      storage: { getItem: denied, setItem: denied, removeItem: denied },
    })
    await addContact(hawser, bob)
    expect(readContacts(hawser)).toEqual([bob])
    vi.restoreAllMocks()
  })

  it('are searched by name and address', () => {
    expect(searchContacts([alice, bob], ' BO')).toEqual([bob])
    expect(searchContacts([alice, bob], BOB.slice(0, 9).toUpperCase())).toEqual([bob])
    expect(searchContacts([alice, bob], '')).toEqual([alice, bob])
  })

  it('are read back as they were stored, whatever was', () => {
    const random = seededRandom(500)
    const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T
    const { hawser, storage } = createKit()
    for (let round = 0; round < 300; round += 1) {
      const values = Array.from({ length: Math.floor(random() * 9) }, () => ({
        namespace: pick(['eip155', 'solana', 'bip122', 'polkadot', 'cosmos', 1, undefined]),
        address: pick([BOB, BOB.toLowerCase(), ALICE, SOLANA_BOB, 'bob', '', 1, undefined]),
        name: pick(['Bob', ' Bob\u200b', 'b'.repeat(65), '', 1, undefined]),
      }))
      storage.setItem(KEY, JSON.stringify(values))
      const read = readContacts(hawser)
      storeContacts(hawser, read)
      expect(readContacts(hawser)).toEqual(read)
      for (const contact of read) expect(readContact(contact)).toEqual(contact)
    }
  })
})
