import { describe, expect, it } from 'vitest'
import { aroundAmount, formatMoney, formatRoundMoney } from './money.ts'

describe('money', () => {
  it.each([
    ['USD', 'en', '$', ''],
    ['USD', 'ar', '$', ''],
    ['EUR', 'de', '', '\u00a0€'],
    ['EUR', 'fr', '', '\u00a0€'],
    ['JPY', 'ja', '￥', ''],
    ['TRY', 'tr', '₺', ''],
    ['no currency', 'en', 'no currency', ''],
  ])('of %s has its sign in the field where amounts in %s have it', (currency, tag, before, after) => {
    expect(aroundAmount(currency, tag)).toEqual([before, after])
    if (currency.length === 3) {
      const sides = formatMoney({ amount: '0', currency }, tag).split(/[\d.,]+/)
      expect(sides).toEqual([before, after])
    }
  })

  it('that is round has separators, and no decimal places', () => {
    expect(formatRoundMoney({ amount: '1000', currency: 'USD' }, 'en')).toBe('$1,000')
    expect(formatRoundMoney({ amount: '1000', currency: 'USD' }, 'ar')).toBe('$1,000')
    expect(formatRoundMoney({ amount: '2.50', currency: 'USD' }, 'en')).toBe('$2.50')
  })
})
