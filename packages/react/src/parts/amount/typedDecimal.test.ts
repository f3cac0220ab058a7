import { describe, expect, it } from 'vitest'
import { locales } from '../../locales/index.ts'
import { groupedReading, readTypedDecimal, showTypedDecimal } from './typedDecimal.ts'

describe('a typed amount', () => {
  it.each([
    ['', ''],
    ['1', '1'],
    ['1.5', '1.5'],
    ['1,5', '1.5'],
    ['.5', '.5'],
    ['5,', '5.'],
    ['1.500', '1.500'],
    ['1,500', '1.500'],
    [' 2.5 ', '2.5'],
    ['١٫٥', '1.5'],
    ['１．５', '1.5'],
    ['1234567890123456789.000000000000000001', '1234567890123456789.000000000000000001'],
  ])('%j is read as %j', (typed, decimal) => {
    expect(readTypedDecimal(typed)).toBe(decimal)
  })

  it.each(['1.2.3', '1.234,5', '1,234.5', '1,234,567', '-1', '1e3', '1 000', 'a', '½'])(
    '%j is refused',
    (typed) => {
      expect(readTypedDecimal(typed)).toBeUndefined()
    },
  )

  it('is shown with the separator of the language, and read again as it is shown', () => {
    expect(showTypedDecimal('1.5', 'de')).toBe('1,5')
    expect(showTypedDecimal('1.5', 'ja')).toBe('1.5')
    for (const { tag } of locales) {
      const shown = showTypedDecimal('1234.500', tag)
      expect(shown).toMatch(/^1234[.,]500$/)
      expect(readTypedDecimal(shown)).toBe('1234.500')
    }
  })
})

describe('an amount that looks like a number with groups of thousands', () => {
  it.each([
    ['1.500', '1500'],
    ['12.345', '12345'],
    ['999.000', '999000'],
  ])('%j could be meant as %j', (decimal, other) => {
    expect(groupedReading(decimal)).toBe(other)
  })

  it.each(['', '1', '1.5', '1.50', '1.5000', '0.500', '01.500', '1234.500', '.500'])(
    '%j could not',
    (decimal) => {
      expect(groupedReading(decimal)).toBeUndefined()
    },
  )
})
