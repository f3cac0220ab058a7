import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ContactRecord,
  changeRecords,
  contactsOf,
  mergeRecords,
  withoutOldDeletions,
} from './records.ts'

const DAY = 24 * 60 * 60_000
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const bob: ContactRecord = { namespace: 'eip155', address: BOB, name: 'Bob', updated: 1 }

/** Records of few addresses, names and times, so that they often meet. */
const record: fc.Arbitrary<ContactRecord> = fc.record({
  namespace: fc.constantFrom('eip155', 'bip122'),
  address: fc.constantFrom(BOB, BOB.toLowerCase(), 'bc1qq', 'BC1QQ', '1BitcoinEater'),
  name: fc.option(fc.constantFrom('Bob', 'Robert', 'B')),
  updated: fc.integer({ min: 0, max: 3 }),
})
const records = fc.array(record, { maxLength: 8 })

describe('a merge', () => {
  it('does not depend on whose records come first', () => {
    fc.assert(
      fc.property(records, records, (a, b) => {
        expect(mergeRecords(a, b)).toEqual(mergeRecords(b, a))
      }),
    )
  })

  it('does not depend on which devices meet first', () => {
    fc.assert(
      fc.property(records, records, records, (a, b, c) => {
        expect(mergeRecords(mergeRecords(a, b), c)).toEqual(mergeRecords(a, mergeRecords(b, c)))
      }),
    )
  })

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(records, records, (a, b) => {
        const merged = mergeRecords(a, b)
        expect(mergeRecords(merged, b)).toEqual(merged)
        expect(mergeRecords(merged, merged)).toEqual(merged)
      }),
    )
  })

  it('has of each address one record, which no other is newer than', () => {
    fc.assert(
      fc.property(records, records, (a, b) => {
        const keyOf = ({ namespace, address }: ContactRecord) =>
          `${namespace} ${address === '1BitcoinEater' ? address : address.toLowerCase()}`
        const merged = new Map(mergeRecords(a, b).map((each) => [keyOf(each), each]))
        expect(merged.size).toBe(new Set([...a, ...b].map(keyOf)).size)
        for (const each of [...a, ...b])
          expect(each.updated).toBeLessThanOrEqual(merged.get(keyOf(each))?.updated ?? -1)
      }),
    )
  })

  it.each([
    ['the newer name', { ...bob, name: 'A', updated: 2 }, bob, 'A'],
    ['a newer deletion', { ...bob, name: null, updated: 2 }, bob, null],
    ['a newer name after a deletion', { ...bob, updated: 3 }, { ...bob, name: null, updated: 2 }, 'Bob'],
    ['a deletion of the same time', bob, { ...bob, name: null }, null],
    ['another spelling of the address', { ...bob, address: BOB.toLowerCase(), updated: 0 }, bob, 'Bob'],
  ])('takes %s', (_, own, other, name) => {
    expect(mergeRecords([own], [other]).map((each) => each.name)).toEqual([name])
  })
})

describe('changes', () => {
  it('name, rename and delete contacts', () => {
    const named = changeRecords([], [{ namespace: 'eip155', address: BOB, name: 'Bob' }], 10)
    expect(named).toEqual([{ ...bob, updated: 10 }])
    const renamed = changeRecords(
      named,
      [{ namespace: 'eip155', address: BOB.toLowerCase(), name: 'Robert' }],
      20,
    )
    expect(renamed).toEqual([{ ...bob, name: 'Robert', updated: 20 }])
    const deleted = changeRecords(renamed, [{ namespace: 'eip155', address: BOB }], 30)
    expect(deleted).toEqual([{ ...bob, name: null, updated: 30 }])
    expect(contactsOf(deleted)).toEqual([])
  })

  it('count although the clock of another device was ahead', () => {
    const ahead = { ...bob, updated: 1_000 }
    const changed = changeRecords([ahead], [{ namespace: 'eip155', address: BOB, name: 'Robert' }], 10)
    expect(mergeRecords(changed, [ahead])).toEqual([{ ...bob, name: 'Robert', updated: 1_001 }])
  })

  it('that change nothing leave the time as it was', () => {
    const changes = [
      { namespace: 'eip155', address: BOB, name: 'Bob' },
      { namespace: 'solana', address: 'absent' },
    ]
    expect(changeRecords([bob], changes, 10)).toEqual([bob])
  })
})

it('deletions are kept for 90 days', () => {
  const deleted = { ...bob, name: null, updated: 0 }
  expect(withoutOldDeletions([deleted], 90 * DAY - 1)).toEqual([deleted])
  expect(withoutOldDeletions([deleted], 90 * DAY)).toEqual([])
  expect(withoutOldDeletions([bob], 900 * DAY)).toEqual([bob])
})
