import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Sentence, spellSentence } from './sentence.ts'

interface Vector {
  readonly behaviour: string
  readonly sentence: Omit<Sentence, 'account'> & { readonly account: string; readonly coinType: number }
  readonly text: string
}

/** The gateway's tests read the same file. */
const file = new URL('../../../../services/names/testdata/sentences.json', import.meta.url)
const vectors: readonly Vector[] = JSON.parse(readFileSync(file, 'utf8'))

it.each(vectors)('spells $behaviour as the gateway does', ({ sentence, text }) => {
  const account = { address: sentence.account, coinType: sentence.coinType }
  expect(spellSentence({ ...sentence, account })).toBe(text)
})

it.each(['a\nRecord url: https://evil.example', 'a\r', 'a\u2028b', 'a\u0085b'])(
  'has no record of more than a line: %j',
  (bio) => {
    const [{ sentence }] = vectors as [Vector]
    const account = { address: sentence.account, coinType: sentence.coinType }
    expect(() => spellSentence({ ...sentence, account, records: { bio } })).toThrow(RangeError)
  },
)
