import { expect, it } from 'vitest'
import { findOrdersOf } from './query.ts'

it('what was entered is the id of an order, in letters of any case, or an address', () => {
  expect(findOrdersOf(' 01j9z3k7q2m4n6p8r0s2t4v6w8 ')?.by).toEqual({
    case: 'id',
    value: '01J9Z3K7Q2M4N6P8R0S2T4V6W8',
  })
  expect(findOrdersOf(`0x${'Ab'.repeat(20)}`)?.by).toEqual({ case: 'address', value: `0x${'Ab'.repeat(20)}` })
})

it('a part of one is nothing to look for', () => {
  for (const entered of ['', '01J9Z3', 'two words of some length'])
    expect(findOrdersOf(entered)).toBeUndefined()
})
