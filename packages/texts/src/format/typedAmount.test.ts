import { describe, expect, it } from 'vitest'
import { otherReading, readTypedAmount } from './typedAmount.ts'
import { showTypedDecimal } from './typedDecimal.ts'

/** Languages by what they write between whole and fraction, and between groups. */
const point = ['en', 'ja', 'ko', 'zh-CN', 'ar']
const comma = ['de', 'es', 'pt-BR', 'tr']
const spaced = ['fr', 'pl', 'cs']
const all = [...point, ...comma, ...spaced]

type Row = readonly [typed: string, amount: string | undefined]

/** Read alike in every language. */
const everywhere: readonly Row[] = [
  ['', ''],
  ['  ', ''],
  ['1', '1'],
  ['007', '7'],
  ['0', '0'],
  ['.5', '0.5'],
  [',5', '0.5'],
  ['5.', '5'],
  ['5,', '5'],
  ['1.5', '1.5'],
  ['1,5', '1.5'],
  [' 2.5 ', '2.5'],
  ['0.500', '0.500'],
  ['0,500', '0.500'],
  ['1234.567', '1234.567'],
  ['1234,567', '1234.567'],
  ['2,500.75', '2500.75'],
  ['2.500,75', '2500.75'],
  ['1,234,567', '1234567'],
  ['1.234.567', '1234567'],
  ['1,234,567.89', '1234567.89'],
  ['1.234.567,89', '1234567.89'],
  ['1 000', '1000'],
  ['1 000,5', '1000.5'],
  ['1 000.5', '1000.5'],
  ['1\u00a0000', '1000'],
  ['1\u202f234\u202f567,25', '1234567.25'],
  ["1'000.50", '1000.50'],
  ['1’000.50', '1000.50'],
  ['1,00,000.5', '100000.5'],
  ['١٢٫٥', '12.5'],
  ['١٬٢٣٤٫٥', '1234.5'],
  ['\u200f١٢٫٥', '12.5'],
  ['۱۲٫۳', '12.3'],
  ['１．５', '1.5'],
  ['１，５', '1.5'],
  ['１２３', '123'],
  ['१२.३', '12.3'],
  ['𝟘.𝟡', '0.9'],
  ['1234567890123456789.000000000000000001', '1234567890123456789.000000000000000001'],
  ['.', undefined],
  [',', undefined],
  ['-5', undefined],
  ['+5', undefined],
  ['−5', undefined],
  ['1e-7', undefined],
  ['1e18', undefined],
  ['1E5', undefined],
  ['0x10', undefined],
  ['1.2.3', undefined],
  ['1,2,3', undefined],
  ['1,23,4', undefined],
  ['1,234,56', undefined],
  ['1,234.567,8', undefined],
  ['1.234,567.8', undefined],
  ['12,345.6.7', undefined],
  ['1 00', undefined],
  ['1 0000', undefined],
  ['1. 5', undefined],
  ['1 .5', undefined],
  ["1'00", undefined],
  ['$5', undefined],
  ['5 ETH', undefined],
  ['½', undefined],
  ['1²', undefined],
  ['①', undefined],
  ['一', undefined],
  ['Ⅻ', undefined],
  ['NaN', undefined],
  ['Infinity', undefined],
  ['1_000', undefined],
  ['1/2', undefined],
  ['5%', undefined],
  ['abc', undefined],
  ['1٫2٫3', undefined],
  ['0,000,001', undefined],
  ['9'.repeat(401), undefined],
]

const table: readonly (readonly [tag: string, typed: string, amount: string | undefined])[] = [
  ...all.flatMap((tag) => everywhere.map(([typed, amount]) => [tag, typed, amount] as const)),
  ...point.flatMap((tag) => [
    [tag, '1,000', '1000'] as const,
    [tag, '1.000', '1.000'] as const,
    [tag, '12,345', '12345'] as const,
  ]),
  ...comma.flatMap((tag) => [
    [tag, '1,000', '1.000'] as const,
    [tag, '1.000', '1000'] as const,
    [tag, '12.345', '12345'] as const,
  ]),
  ...spaced.flatMap((tag) => [[tag, '1,000', '1.000'] as const, [tag, '1.000', undefined] as const]),
]

describe('an amount as it is typed', () => {
  it('has a table of more than 300 inputs', () => {
    expect(table.length).toBeGreaterThan(300)
  })

  it.each(table)('in %s: %j is %j', (tag, typed, amount) => {
    expect(readTypedAmount(typed, tag)).toBe(amount)
  })

  it.each(all)('is read in %s as it is shown', (tag) => {
    for (const decimal of ['1234.567', '0.500', '1.5', '12', '1.234'])
      expect(readTypedAmount(showTypedDecimal(decimal, tag), tag)).toBe(decimal)
  })
})

describe('the other number that an amount could be', () => {
  it.each([
    ['en', '1,500', '1.500'],
    ['en', '1.500', '1500'],
    ['de', '1.500', '1.500'],
    ['de', '1,500', '1500'],
    ['en', '999,000', '999.000'],
  ])('in %s: of %j is %j', (tag, typed, other) => {
    expect(otherReading(typed, tag)).toBe(other)
  })

  it.each(['', '1', '1.5', '1.50', '1.5000', '0.500', '1234.500', '.500', '1,500.5', '1,500,000', '-1,500'])(
    'does not exist for %j',
    (typed) => {
      expect(otherReading(typed, 'en')).toBeUndefined()
    },
  )
})
