import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactDecimal, shortDecimal } from './decimal.ts'

/** Returns a plain decimal as an integer of the given places, to compare without a float. */
function scaled(decimal: string, places: number): bigint {
  const [whole = '', fraction = ''] = decimal.replaceAll(',', '').split('.')
  return BigInt(whole + fraction.padEnd(places, '0').slice(0, places))
}

const amounts = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 45n }), fc.integer({ min: 0, max: 36 }))
  .map(([value, decimals]) => {
    const digits = value.toString().padStart(decimals + 1, '0')
    return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  })

describe('an exact amount', () => {
  it.each([
    ['1234567.5', '1,234,567.5'],
    ['1.000000000000000001', '1.000000000000000001'],
    ['1.500', '1.5'],
    ['.5', '0.5'],
    ['0007', '7'],
    ['0.000', '0'],
    ['-1234.5', '-1,234.5'],
    ['1.234567890123456789012345678901234567', '1.234567890123456789012345678901234567'],
  ])('%s is shown as %s', (decimal, shown) => {
    expect(exactDecimal(decimal)).toBe(shown)
  })

  it('loses no digit, whatever its size', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(scaled(exactDecimal(amount), 36)).toBe(scaled(amount, 36))
      }),
    )
  })

  it.each(['1e-7', 'NaN', '', '1,000', '0x10'])('%j is refused', (text) => {
    expect(() => exactDecimal(text)).toThrow(RangeError)
  })
})

describe('a short amount', () => {
  it.each([
    ['0', '0'],
    ['0.5', '0.5'],
    ['1.999999', '1.9999'],
    ['999.99999', '999.9999'],
    ['1234.5678', '1,234.56'],
    ['999999999.999', '999,999,999.99'],
    ['0.000001', '0.000001'],
    ['0.0000001', '<0.000001'],
    ['-0.0000001', '>-0.000001'],
    ['12345678901', '12.34B'],
    ['1000000000', '1B'],
    ['1999999999999', '1.99T'],
    ['999999999999999', '999.99T'],
    ['340282366920938463463374607431768211457', '3.4×10³⁸'],
  ])('%s is shown as %s', (decimal, shown) => {
    expect(shortDecimal(decimal)).toBe(shown)
  })

  it('never says more than there is', () => {
    const plain = amounts.filter((amount) => amount.replace(/^0+/, '').replace(/\..*/, '').length <= 9)
    fc.assert(
      fc.property(plain, (amount) => {
        const shown = shortDecimal(amount)
        if (shown.startsWith('<')) expect(scaled(amount, 6)).toBe(0n)
        else expect(scaled(shown, 36)).toBeLessThanOrEqual(scaled(amount, 36))
      }),
    )
  })
})

describe('in other languages', () => {
  it.each([
    ['1234567.000000000000000001', 'de', '1.234.567,000000000000000001'],
    ['1234.5', 'es', '1234,5'],
    ['0.5', 'tr', '0,5'],
    ['1234.5', 'ja', '1,234.5'],
  ])('%s in %s is %s, and loses no digit', (decimal, tag, shown) => {
    expect(exactDecimal(decimal, tag)).toBe(shown)
  })

  it.each([
    ['1234.5678', 'de', '1.234,56'],
    ['0.0000001', 'de', '<0,000001'],
    ['12345678901', 'ja', '123.45億'],
    ['19999999999', 'pt-BR', '19,99\u00a0bi'],
  ])('%s in %s is short as %s', (decimal, tag, shown) => {
    expect(shortDecimal(decimal, tag)).toBe(shown)
  })
})
