import { expect, it } from 'vitest'
import { findRequestOf } from './query.ts'

it('what was entered is an id, an email or an address', () => {
  expect(findRequestOf(` ${'AB'.repeat(16)} `)?.by).toEqual({ case: 'id', value: 'ab'.repeat(16) })
  expect(findRequestOf('Mary@shop.example')?.by).toEqual({ case: 'email', value: 'Mary@shop.example' })
  const addresses = [`0x${'Ab'.repeat(20)}`, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '1'.repeat(32)]
  for (const value of addresses.slice(0, 2))
    expect(findRequestOf(value)?.by).toEqual({ case: 'address', value })
})

it('a part of one is nothing to look for', () => {
  for (const entered of ['', 'mary', '0x1234', 'mary@', 'two words of some length'])
    expect(findRequestOf(entered)).toBeUndefined()
})
