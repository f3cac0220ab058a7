import { expect, it } from 'vitest'
import { dollarText } from './dollarText.ts'

it.each([
  [500_000_000_000_000_000n, 18, 3_125.42, 'en', '$1,562.71'],
  [34_897_079_427_000n, 18, 3_125.42, 'en', '$0.11'],
  [1n, 18, 3_125.42, 'en', '<$0.01'],
  [0n, 18, 3_125.42, 'en', '$0.00'],
  [5_000n, 9, 150, 'de', '<0,01\u00a0$'],
  [500_000_000_000_000_000n, 18, 3_125.42, 'ar', '$1,562.71'],
])('%d base units of %d decimals at $%d are worth this in %s: %s', (amount, decimals, price, tag, text) => {
  expect(dollarText(amount, decimals, price, tag)).toBe(text)
})
