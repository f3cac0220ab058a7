import { describe, expect, it } from 'vitest'
import { readTypedDecimal, showTypedDecimal } from './typedDecimal.ts'

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
    ['۱۲٫۳', '12.3'],
    ['१२.३', '12.3'],
    ['১২,৩', '12.3'],
    ['𝟘𝟡', '09'],
    ['1234567890123456789.000000000000000001', '1234567890123456789.000000000000000001'],
  ])('%j is read as %j', (typed, decimal) => {
    expect(readTypedDecimal(typed)).toBe(decimal)
  })

  it.each([
    '1.2.3',
    '1.234,5',
    '1,234.5',
    '1,234,567',
    '-1',
    '1e3',
    '1 000',
    'a',
    '½',
    '1²',
    '①',
    '1٬5',
    '一',
    'Ⅻ',
  ])('%j is refused', (typed) => {
    expect(readTypedDecimal(typed)).toBeUndefined()
  })

  it('is read in the digits of every script', () => {
    const systems = Intl.supportedValuesOf('numberingSystem')
    const written = systems.map((system) =>
      new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(9876543210),
    )
    // Numerals such as the Roman ones are not decimal digits.
    const decimals = written.filter((text) => /^\p{Nd}{10}$/u.test(text))
    expect(decimals.length).toBeGreaterThan(50)
    expect(decimals.filter((text) => readTypedDecimal(text) !== '9876543210')).toEqual([])
  })

  it('is shown with the separator of the language, and read again as it is shown', () => {
    expect(showTypedDecimal('1.5', 'de')).toBe('1,5')
    expect(showTypedDecimal('1.5', 'ja')).toBe('1.5')
    for (const tag of ['ar', 'de', 'es', 'fr', 'ja', 'ko', 'pt-BR', 'tr', 'zh-CN']) {
      const shown = showTypedDecimal('1234.500', tag)
      expect(shown).toMatch(/^1234[.,]500$/)
      expect(readTypedDecimal(shown)).toBe('1234.500')
    }
  })
})
