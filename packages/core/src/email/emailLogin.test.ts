import { expect, it } from 'vitest'
import { emailThrottleMessage } from './emailLogin.ts'

const sentAt = 1_700_000_000_000

it('lets the first mail out', () => {
  expect(emailThrottleMessage(undefined, sentAt)).toBeUndefined()
})

it.each([
  [0, 'Please try again after 30 seconds'],
  [1, 'Please try again after 30 seconds'],
  [1_000, 'Please try again after 29 seconds'],
  [29_999, 'Please try again after 1 seconds'],
])('%i ms after a mail says "%s"', (elapsed, text) => {
  expect(emailThrottleMessage(sentAt, sentAt + elapsed)).toBe(text)
})

it('lets the next mail out after 30 seconds', () => {
  expect(emailThrottleMessage(sentAt, sentAt + 30_000)).toBeUndefined()
})
