import { describe, expect, it } from 'vitest'
import { compileCatalogue } from './compile.ts'

const english = (text: string) => compileCatalogue({ text }, { tag: 'en', english: { text } })
const german = (text: string, original: string) =>
  compileCatalogue({ text }, { tag: 'de', english: { text: original } })

describe('a text becomes', () => {
  it.each([
    ['Close', "text: 'Close',"],
    ["It's \\", "text: 'It\\'s \\\\',"],
    ['See <page/>', "text: 'See {page}',"],
    ['To {who}', 'text: (who: string) => `To ${who}`,'],
    ['{at, integer} of {of, integer}', 'text: (at: number, of: number) => `${at} of ${of}`,'],
    ['{count, number} more', "text: (count: number) => `${count.toLocaleString('en')} more`,"],
    ['by {method, lower}', 'text: (method: string) => `by ${method.toLowerCase()}`,'],
    ['`{name}` costs $', 'text: (name: string) => `\\`${name}\\` costs $`,'],
    [
      '{count, plural, one {1 pool} other {{count, integer} pools}}',
      "text: (count: number) => count === 1 ? '1 pool' : `${count} pools`,",
    ],
    [
      'Not simulated{why, select, none {} other {: {why}}}.',
      "text: (why: string) => `Not simulated${why ? `: ${why}` : ''}.`,",
    ],
  ])('%s', (text, line) => {
    expect(english(text)).toEqual([line])
  })

  it('a function of the values in the order of English', () => {
    expect(german('Auf {place} an {name}', '{name} on {place}')).toEqual([
      'text: (name, place) => `Auf ${place} an ${name}`,',
    ])
  })

  it('a choice by the plural rules of its language', () => {
    const pools = '{count, plural, one {1 pool} other {{count, integer} pools}}'
    expect(german('{count, plural, one {1 Pool} other {{count, integer} Pools}}', pools)).toEqual([
      "text: (count) => plural(count, { one: '1 Pool', other: `${count} Pools` }),",
    ])
    expect(german('{count, plural, =1 {ein Pool} other {{count, integer} Pools}}', pools)).toEqual([
      "text: (count) => count === 1 ? 'ein Pool' : `${count} Pools`,",
    ])
  })
})

it('a description becomes a comment in English alone', () => {
  const catalogue = { '@back': 'To the view before.', back: 'Back' }
  expect(compileCatalogue(catalogue, { tag: 'en', english: catalogue })).toEqual([
    '/** To the view before. */',
    "back: 'Back',",
  ])
  expect(compileCatalogue({ back: 'Zurück' }, { tag: 'de', english: catalogue })).toEqual(["back: 'Zurück',"])
})
