import { expect, it } from 'vitest'
import { formatUsd, usdParts } from './fiat.ts'

it.each([
  [1234.5, 'en', '$1,234.50'],
  [0.001, 'en', '<$0.01'],
  [1234.5, 'de', '1.234,50 $'],
  [1234.5, 'ar', '$1,234.50'],
])('%s dollars in %s are %s', (value, tag, shown) => {
  expect(formatUsd(value, tag)?.replaceAll('\u00a0', ' ')).toBe(shown)
})

it('what is not known is not shown', () => {
  expect(formatUsd(undefined, 'en')).toBeUndefined()
  expect(formatUsd(Number.NaN, 'en')).toBeUndefined()
})

it('cents are known in every language', () => {
  const cents = (tag: string) => usdParts(33_493_523.67, tag)?.find(({ type }) => type === 'fraction')?.value
  expect(cents('de')).toBe('67')
  expect(cents('fr')).toBe('67')
})
