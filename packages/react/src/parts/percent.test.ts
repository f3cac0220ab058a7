import { expect, it } from 'vitest'
import { formatFinePercent, formatPercent, formatShare } from './percent.ts'

it.each([
  [0, '0%'],
  [-2, '0%'],
  [0.004, '<0.01%'],
  [0.3, '0.3%'],
  [12.345, '12.35%'],
  [100, '100%'],
])('%s percent is shown as %s', (value, shown) => {
  expect(formatPercent(value, 'en')).toBe(shown)
})

it.each([
  [0, '0%'],
  [-1, '0%'],
  [0.0006123, '0.00061%'],
  [1.26, '1.3%'],
])('%s percent from the optimum is shown as %s', (value, shown) => {
  expect(formatFinePercent(value, 'en')).toBe(shown)
})

it.each([
  [100, '100%'],
  [94.43, '94.4%'],
  [0.04, '<0.1%'],
])('a share of %s percent is shown as %s', (value, shown) => {
  expect(formatShare(value, 'en')).toBe(shown)
})
