import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { formatMessage, MessageError, parseMessage, type SignInMessage } from './message.ts'

interface Vectors {
  readonly valid: readonly { behaviour: string; text: string; fields: SignInMessage }[]
  readonly invalid: readonly { behaviour: string; text: string }[]
}

/** Shared with the Go package. */
const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../../../proto/siwe/testdata/messages.json', import.meta.url), 'utf8'),
)

describe('a sign-in message', () => {
  it.each(vectors.valid)('with $behaviour is read and written', ({ text, fields }) => {
    expect(parseMessage(text)).toEqual(fields)
    expect(formatMessage(fields)).toBe(text)
  })

  it.each(vectors.invalid)('is not $behaviour', ({ text }) => {
    expect(() => parseMessage(text)).toThrow(MessageError)
  })

  it('has a bounded length', () => {
    const text = vectors.valid[0]?.text.replace('I accept', 'a'.repeat(8192)) ?? ''
    expect(() => parseMessage(text)).toThrow('too long')
  })
})
