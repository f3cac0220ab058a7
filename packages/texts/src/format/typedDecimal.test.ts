import { describe, expect, it } from 'vitest'
import { languageTags } from '../gen/languages.ts'
import { readTypedAmount } from './typedAmount.ts'
import { readDigits, showTypedDecimal } from './typedDecimal.ts'

describe('a typed decimal', () => {
  it('is read in the digits of every script', () => {
    const systems = Intl.supportedValuesOf('numberingSystem')
    const written = systems.map((system) =>
      new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(9876543210),
    )
    // Numerals such as the Roman ones are not decimal digits.
    const decimals = written.filter((text) => /^\p{Nd}{10}$/u.test(text))
    expect(decimals.length).toBeGreaterThan(50)
    expect(decimals.filter((text) => readDigits(text) !== '9876543210')).toEqual([])
  })

  it('is shown with the separator of the language, and read again as it is shown', () => {
    expect(showTypedDecimal('1.5', 'de')).toBe('1,5')
    expect(showTypedDecimal('1.5', 'ja')).toBe('1.5')
    for (const tag of languageTags) {
      const shown = showTypedDecimal('1234.500', tag)
      expect(shown).toMatch(/^1234[.,]500$/)
      expect(readTypedAmount(shown, tag)).toBe('1234.500')
    }
  })
})
