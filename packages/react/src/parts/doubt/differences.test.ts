import { expect, it } from 'vitest'
import { differences } from './differences.ts'

/** Marks the characters that differ. */
const marked = (address: string, other: string) =>
  differences(address, other)
    .map((isDifferent) => (isDifferent ? '^' : ' '))
    .join('')
    .trimEnd()

it.each([
  ['0x70997970C51812dc3A01', '0x7099797Fc51812Dc3a01', '         ^'],
  ['0x7099', '0x7099', ''],
  ['0x7000', '0x7111', '   ^^^'],
  // The second half is compared from the end.
  ['7abcXYZ8', '7abcdXYZ8', ''],
  ['7abc5XYZ8', '7abcXYZ8', '    ^'],
  ['7abd5XYZ8', '7abcXYZ8', '   ^^'],
  ['BC1QW508', 'bc1qw609', '     ^ ^'],
])('differences of %s from %s', (address, other, marks) => {
  expect(marked(address, other)).toBe(marks)
})
