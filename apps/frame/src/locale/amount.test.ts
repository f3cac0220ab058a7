import { showTypedDecimal } from '@hawser/texts/format/typedDecimal'
import { english } from '@hawser/texts/frame/english'
import { loadLanguage } from '@hawser/texts/frame/loadLanguage'
import { languageTags } from '@hawser/texts/languages'
import { describe, expect, it } from 'vitest'
import { amountText, readCount, readDecimal } from './amount.ts'

const german = (await loadLanguage('de'))?.texts ?? english.texts

const wei = { symbol: 'ETH', decimals: 18 }

describe('an amount', () => {
  it('has every digit, with the separators of the language', () => {
    const amount = 123_456_789_012_345_678_901_234_567n
    expect(amountText(amount, wei, english.texts, 'en')).toBe('123,456,789.012345678901234567 ETH')
    expect(amountText(amount, wei, german, 'de')).toBe('123.456.789,012345678901234567 ETH')
    expect(amountText(1n, wei, german, 'de')).toBe('0,000000000000000001 ETH')
  })

  it('keeps its symbol on its line, unless a narrow window may have to break the symbol then', () => {
    expect(amountText(250_000_000_000_000_000n, wei, english.texts, 'en')).toBe('0.25\u00a0ETH')
    expect(amountText(6_397_194_378_639_622n, wei, english.texts, 'en')).toBe('0.006397194378639622 ETH')
  })

  it('is written in Arabic as in English', () => {
    expect(amountText(1_562_156_361n, { symbol: 'tUSD', decimals: 6 }, english.texts, 'ar')).toBe(
      '1,562.156361\u00a0tUSD',
    )
  })

  it('is in base units where the token has no symbol', () => {
    expect(amountText(5n, { symbol: '', decimals: 0 }, german, 'de')).toBe('5\u00a0Basiseinheiten')
  })

  it('shows characters of a symbol that cannot be seen', () => {
    expect(amountText(1n, { symbol: 'E\u202eTH', decimals: 0 }, english.texts, 'en')).toBe(
      '1\u00a0E\\u{202e}TH',
    )
  })

  it.each(['en', ...languageTags])('is read as it is written in %s', (tag) => {
    expect(readDecimal(showTypedDecimal('1234.5', tag), tag)).toBe('1234.5')
    expect(showTypedDecimal('0.5', tag)).toMatch(/^0[.,]5$/)
  })

  it.each([
    ['٠٫٥', '0.5'],
    ['۰٫۵', '0.5'],
    ['०.५', '0.5'],
    [' 0,5 ', '0.5'],
    ['5.', '5'],
    ['.5', '0.5'],
    ['1,234,567.8', '1234567.8'],
  ])('is read from the keyboard of any language: %j', (typed, decimal) => {
    expect(readDecimal(typed, 'en')).toBe(decimal)
  })

  it('is read by the separators of the language', () => {
    expect(readDecimal('1.500', 'de')).toBe('1500')
    expect(readDecimal('1,500', 'de')).toBe('1.500')
    expect(readDecimal('1,500', 'en')).toBe('1500')
  })

  it.each(['', '1.2.3', '1,2.3', '1.2,3', '-1', '1e3', '0x1', '1²', '1'.repeat(61)])(
    '%j is refused',
    (typed) => {
      expect(readDecimal(typed, 'en')).toBeUndefined()
    },
  )
})

describe('a count', () => {
  it.each([
    ['12', 12],
    ['١٢', 12],
    ['१२', 12],
    ['1,000', 1_000],
  ])('is read from the keyboard of any language: %j', (typed, count) => {
    expect(readCount(typed, 'en')).toBe(count)
  })

  it.each(['', '1.5', '-1', '1e3', '1234567890'])('%j is refused', (typed) => {
    expect(readCount(typed, 'en')).toBeUndefined()
  })
})
