import { base as en } from '@hawser/texts/en/base'
import { expect, it } from 'vitest'
import { dayOf, monthOf, relativeTime } from './relativeTime.ts'

const now = new Date(2024, 5, 15, 12).getTime()
const MINUTE = 60_000

it.each([
  [0, undefined],
  [59_999, undefined],
  [MINUTE, '1m ago'],
  [59 * MINUTE, '59m ago'],
  [60 * MINUTE, '1h ago'],
  [24 * 60 * MINUTE, '1d ago'],
  [7 * 24 * 60 * MINUTE, 'Jun 8'],
])('%i ms ago is %j', (ago, said) => {
  expect(relativeTime(now - ago, now, 'en')).toBe(said)
})

it('a clock that runs behind the chain shows no future', () => {
  expect(relativeTime(now + 5_000, now, 'en')).toBeUndefined()
})

it.each([
  [new Date(2024, 5, 15, 0, 1), 'Today'],
  [new Date(2024, 5, 15, 12, 1), 'Today'],
  [new Date(2024, 5, 14, 23, 59), 'Yesterday'],
  [new Date(2024, 5, 13, 23, 59), 'June 13'],
  [new Date(2023, 5, 15), 'June 15, 2023'],
])('%s is on the day %s', (at, day) => {
  expect(dayOf(at.getTime(), now, en, 'en')).toBe(day)
})

it('a month of another year names its year', () => {
  expect(monthOf(now, now, 'en')).toBe('June')
  expect(monthOf(new Date(2023, 11, 31).getTime(), now, 'en')).toBe('December 2023')
})
