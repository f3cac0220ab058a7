import { expect, it } from 'vitest'
import { durationText } from './durationText.ts'

it.each([
  [0, 'en', '0 seconds'],
  [61, 'en', '61 seconds'],
  [5_400, 'en', '90 minutes'],
  [7_200, 'de', '2 Stunden'],
  [86_400, 'en', '1 day'],
  [86_400, 'ar', 'يوم'],
])('%d seconds in %s are %s', (seconds, tag, text) => {
  expect(durationText(seconds, tag)).toBe(text)
})
