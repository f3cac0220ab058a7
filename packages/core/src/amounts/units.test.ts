import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DOLLAR } from '../testing/fakeGateway.ts'
import { AmountError, baseUnits, formatUnits, parseUnits, tokenDecimals, worth } from './units.ts'

const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const decimals = fc.integer({ min: 0, max: 36 })

describe('parseUnits', () => {
  it('reads every unit of an amount', () => {
    expect(parseUnits('1.000000000000000001', 18)).toBe(1_000_000_000_000_000_001n)
    expect(parseUnits('0.000000000000000000000000000000000001', 36)).toBe(1n)
    expect(parseUnits('.5', 6)).toBe(500_000n)
    expect(parseUnits('5.', 0)).toBe(5n)
  })

  it('allows zeros after the last decimal of the token', () => {
    expect(parseUnits('12.500000000', 6)).toBe(12_500_000n)
    expect(parseUnits('5.0', 0)).toBe(5n)
  })

  it('refuses more decimals than the token has', () => {
    expect(() => parseUnits('0.0000001', 6)).toThrow(AmountError)
  })

  it.each(['', '.', '-1', '+1', '1e-7', '1,5', '0x10', ' 1', '1 ', 'NaN', 'Infinity', '١'])(
    'refuses %j',
    (text) => {
      expect(() => parseUnits(text, 18)).toThrow(AmountError)
    },
  )

  it('gives back what formatUnits wrote, for every amount of every token', () => {
    fc.assert(
      fc.property(uint256, decimals, (value, places) => {
        expect(parseUnits(formatUnits(value, places), places)).toBe(value)
      }),
    )
  })
})

describe('formatUnits', () => {
  it('writes no exponent and no trailing zero', () => {
    expect(formatUnits(1n, 36)).toBe(`0.${'0'.repeat(35)}1`)
    expect(formatUnits(2n ** 256n - 1n, 0)).toBe((2n ** 256n - 1n).toString())
    expect(formatUnits(1_500_000n, 6)).toBe('1.5')
    expect(formatUnits(0n, 18)).toBe('0')
  })

  it('keeps the sign of a debt', () => {
    expect(formatUnits(-1n, 2)).toBe('-0.01')
  })

  it('writes a plain decimal for every amount of every token', () => {
    fc.assert(
      fc.property(uint256, decimals, (value, places) => {
        expect(formatUnits(value, places)).toMatch(/^\d+(\.\d*[1-9])?$/)
      }),
    )
  })
})

describe('baseUnits', () => {
  it('reads the quantity of a balance row', () => {
    expect(baseUnits(DOLLAR)).toBe(12_500_000n)
  })

  it('is 0 for a row that is not an amount', () => {
    expect(baseUnits({ ...DOLLAR, quantity: { decimals: '6', numeric: '1e9' } })).toBe(0n)
    expect(baseUnits({ ...DOLLAR, quantity: { decimals: 'six', numeric: '1' } })).toBe(0n)
  })
})

describe('tokenDecimals', () => {
  it.each(['', '-1', '1.5', '1e2', '0x10'])('refuses %j', (text) => {
    expect(() => tokenDecimals(text)).toThrow(AmountError)
  })
})

describe('worth', () => {
  it('is unknown when the price is', () => {
    expect(worth(10n ** 18n, 18, undefined)).toBeUndefined()
    expect(worth(10n ** 18n, 18, 0)).toBeUndefined()
    expect(worth(5n * 10n ** 17n, 18, 2_000)).toBe(1_000)
  })
})
