import { describe, expect, it } from 'vitest'
import { groupedReading } from './groupedReading.ts'

describe('an amount that looks like a number with groups of thousands', () => {
  it.each([
    ['1.500', '1500'],
    ['12.345', '12345'],
    ['999.000', '999000'],
  ])('%j could be meant as %j', (decimal, other) => {
    expect(groupedReading(decimal)).toBe(other)
  })

  it.each(['', '1', '1.5', '1.50', '1.5000', '0.500', '01.500', '1234.500', '.500'])(
    '%j could not',
    (decimal) => {
      expect(groupedReading(decimal)).toBeUndefined()
    },
  )
})
