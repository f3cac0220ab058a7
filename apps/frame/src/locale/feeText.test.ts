import { english } from '@hawser/texts/frame/english'
import { expect, it } from 'vitest'
import { feeText } from './feeText.ts'

const ether = { symbol: 'ETH', decimals: 18 }

it.each([
  [46_467_000_743_472n, '0.0000465\u00a0ETH'],
  [21_000_000_000_294n, '0.0000211\u00a0ETH'],
  [1_234_567_000_000_000_000n, '1.24\u00a0ETH'],
  [123_456n * 10n ** 18n, '124,000\u00a0ETH'],
  [999_900_000_000_000n, '0.001\u00a0ETH'],
  [5n, '0.000000000000000005 ETH'],
  [0n, '0\u00a0ETH'],
])('a fee of at most %d wei is shown as %s, never less than it is', (fee, text) => {
  expect(feeText(fee, ether, english.texts, 'en')).toBe(text)
})
