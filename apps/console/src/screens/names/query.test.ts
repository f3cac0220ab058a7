import { expect, it } from 'vitest'
import { findNamesOf, labelOf } from './query.ts'

it('a name and an address are told apart', () => {
  const address = `0x${'aB'.repeat(20)}`
  expect(findNamesOf(` ${address} `)).toEqual({ by: { case: 'address', value: address } })
  expect(findNamesOf('Alice.hawser.id')).toEqual({ by: { case: 'name', value: 'alice.hawser.id' } })
})

it('nothing else is looked for', () => {
  for (const entered of ['', 'alice', 'alice@example.org', '0x12', 'alice..id', 'a b.id'])
    expect(findNamesOf(entered)).toBeUndefined()
})

it('a label is the part before the first dot', () => {
  expect(labelOf(' Scam ')).toBe('scam')
  expect(labelOf('scam.hawser.id')).toBe('scam')
  for (const entered of ['', 'ab', 'a b c', 'ünder', '.hawser.id']) expect(labelOf(entered)).toBeUndefined()
})
