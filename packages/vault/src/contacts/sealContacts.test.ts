import { hkdf } from '@noble/hashes/hkdf'
import { sha256 } from '@noble/hashes/sha2'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { importKey, unseal } from '../factors/seal.ts'
import type { ContactRecord } from './records.ts'
import { contactsKey, openContacts, sealContacts } from './sealContacts.ts'

const ENTROPY = () => new Uint8Array(32).fill(7)
const owner = { userId: 'ada', walletId: 'ab'.repeat(16) }
const bob: ContactRecord = { namespace: 'eip155', address: `0x${'7'.repeat(40)}`, name: 'Bob', updated: 1 }
const damaged = { key: undefined, reason: 'contactsDamaged' }

const contact = (at: number, name: string | null): ContactRecord => ({
  namespace: 'eip155',
  address: `0x${at.toString(16).padStart(40, '0')}`,
  name,
  updated: 1_764_500_000_000 + at,
})

let key: CryptoKey
beforeAll(async () => {
  key = await contactsKey(ENTROPY())
})

describe('contacts', () => {
  it('are encrypted by AES-256-GCM with a key of HKDF-SHA-256, as other software can do', async () => {
    const derived = hkdf(sha256, ENTROPY(), undefined, 'hawser contacts v1', 32)
    const blob = await sealContacts(key, [bob], owner)
    expect(blob[0]).toBe(1)
    const plain = await unseal(
      await importKey(new Uint8Array(derived)),
      blob.subarray(1),
      `ada|${owner.walletId}|contacts|1`,
    )
    expect(JSON.parse(new TextDecoder().decode(plain))).toEqual([['eip155', bob.address, 'Bob', 1]])
  })

  it('overwrite the entropy that the key is derived from', async () => {
    const entropy = ENTROPY()
    await contactsKey(entropy)
    expect(entropy).toEqual(new Uint8Array(32))
  })

  it('are read as they were written, whatever their names', async () => {
    const name = fc.option(fc.string({ unit: 'grapheme', maxLength: 64 }))
    await fc.assert(
      fc.asyncProperty(fc.array(name, { maxLength: 20 }), async (names) => {
        const records = names.map((each, at) => contact(at, each))
        const read = await openContacts(key, await sealContacts(key, records, owner), owner)
        expect([...read].sort((a, b) => a.updated - b.updated)).toEqual(records)
      }),
      { numRuns: 25 },
    )
  })

  it('have a size that says little of how many they are', async () => {
    const sizes = [0, 1, 30, 60].map(async (count) => {
      const records = Array.from({ length: count }, (_, at) => contact(at, 'Bob'))
      return (await sealContacts(key, records, owner)).length
    })
    const overhead = 1 + 12 + 16
    expect(await Promise.all(sizes)).toEqual([4096, 4096, 4096, 8192].map((size) => size + overhead))
  })

  it('never have the same bytes twice', async () => {
    const [first, second] = await Promise.all([1, 2].map(() => sealContacts(key, [bob], owner)))
    expect(first).not.toEqual(second)
  })

  it('of 500 with long names are refused, and with short ones fit into 64 KiB', async () => {
    const many = (name: string) => Array.from({ length: 500 }, (_, at) => contact(at, name))
    expect((await sealContacts(key, many('A friend of mine'), owner)).length).toBeLessThanOrEqual(65_536)
    await expect(sealContacts(key, many('a'.repeat(64)), owner)).rejects.toMatchObject({
      reason: 'contactsFull',
    })
  })

  it('that do not fit with their deletions leave the oldest of these out', async () => {
    const deletions = Array.from({ length: 1_000 }, (_, at) => contact(at, null))
    const blob = await sealContacts(key, [...deletions, bob], owner)
    expect(blob.length).toBeLessThanOrEqual(65_536)
    const read = await openContacts(key, blob, owner)
    expect(read[0]).toEqual(bob)
    expect(read[1]).toEqual(deletions.at(-1))
    expect(read.length).toBeLessThan(1_001)
  })
})

describe('a blob', () => {
  it('that is empty has no contacts', async () => {
    expect(await openContacts(key, new Uint8Array(), owner)).toEqual([])
  })

  it.each([
    ['of another wallet', { ...owner, walletId: 'cd'.repeat(16) }],
    ['of another user', { ...owner, userId: 'mallory' }],
  ])('%s is not opened', async (_, other) => {
    await expect(openContacts(key, await sealContacts(key, [bob], other), owner)).rejects.toMatchObject(
      damaged,
    )
  })

  it('of another key is not opened', async () => {
    const other = await contactsKey(new Uint8Array(32).fill(8))
    await expect(openContacts(other, await sealContacts(key, [bob], owner), owner)).rejects.toMatchObject(
      damaged,
    )
  })

  it('that was changed in any byte, or cut, is not opened', async () => {
    const blob = await sealContacts(key, [bob], owner)
    for (const at of [0, 1, 12, 13, 2_000, blob.length - 1]) {
      const changed = blob.slice()
      changed[at] = (changed[at] ?? 0) ^ 1
      await expect(openContacts(key, changed, owner)).rejects.toMatchObject(damaged)
    }
    await expect(openContacts(key, blob.subarray(0, 20), owner)).rejects.toMatchObject(damaged)
  })
})
