import { expect, it } from 'vitest'
import { visibleEmail } from './plain.ts'

it.each([
  ['ada@example.com', 'ada@example.com'],
  // The second letter is Cyrillic.
  ['ada@e\u0445ample.com', 'ada@xn--eample-bsf.com'],
  ['ada@m\u00fcnchen.example', 'ada@xn--mnchen-3ya.example'],
  // What follows is not a part of the host.
  ['ada@example.com/\u0445', 'ada@example.com/\u0445'],
  ['ada@example.com\u202e', 'ada@example.com\\u{202e}'],
])('shows the email %s as %s', (email, shown) => {
  expect(visibleEmail(email)).toBe(shown)
})
