import { expect, it } from 'vitest'
// The gateway's tests read the same file.
import file from '../../../../services/names/testdata/sentences.json' with { type: 'json' }
import { formatStatement, type Statement } from './statement.ts'

interface Vector {
  readonly behaviour: string
  readonly sentence: Omit<Statement, 'account'> & { readonly account: string; readonly coinType: number }
  readonly text: string
}

const vectors = file as readonly unknown[] as readonly Vector[]

it.each(vectors)('spells $behaviour as the gateway does', ({ sentence, text }) => {
  const account = { address: sentence.account, coinType: sentence.coinType }
  expect(formatStatement({ ...sentence, account })).toBe(text)
})

it.each(['a\nRecord url: https://evil.example', 'a\r', 'a\u2028b', 'a\u0085b'])(
  'has no record of more than a line: %j',
  (bio) => {
    const [{ sentence }] = vectors as [Vector]
    const account = { address: sentence.account, coinType: sentence.coinType }
    expect(() => formatStatement({ ...sentence, account, records: { bio } })).toThrow(RangeError)
  },
)
