import { describe, expect, it } from 'vitest'
import { isNumber, parseMessage, placesOf, valuesOf } from './message.ts'

describe('a text', () => {
  it('names its values in the order of their first place', () => {
    expect(
      valuesOf(parseMessage('{count, plural, one {1 of {all}} other {{count, integer}}} {what}')),
    ).toEqual(['count', 'all', 'what'])
    expect(valuesOf(parseMessage('A plain text, with <terms/>'))).toEqual([])
  })

  it('says which of its values are numbers', () => {
    const message = parseMessage(
      '{count, plural, other {{size, number} {name} {rank, integer} {method, lower}}}',
    )
    expect(['count', 'size', 'rank'].filter((name) => isNumber(message, name))).toHaveLength(3)
    expect(['name', 'method'].filter((name) => isNumber(message, name))).toEqual([])
  })

  it('has places for elements of the page', () => {
    expect(placesOf('I agree to <terms/> and <privacy/>')).toEqual(['privacy', 'terms'])
  })

  it.each([
    '{',
    '}',
    'a } b',
    '{count',
    '{count, plural}}',
    '{count, currency}',
    '{count,number}',
    '{count, plural, one 1 pool}',
    '{count, plural, one {1 pool}',
    '{1st}',
    '{}',
  ])('is refused: %j', (text) => {
    expect(() => parseMessage(text)).toThrow(SyntaxError)
  })
})
