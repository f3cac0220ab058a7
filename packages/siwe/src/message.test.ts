import { readFileSync } from 'node:fs'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
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

  it("is viem's, where both can write it", () => {
    const fields = {
      domain: 'example.com:8443',
      scheme: 'https',
      address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      uri: 'https://example.com:8443/login',
      version: '1',
      nonce: 'abcdefgh12345678',
      requestId: 'request-7',
      resources: ['https://example.com/a', 'ipfs://b'],
    } as const
    const time = '2026-01-02T03:04:05.000Z'
    for (const statement of [undefined, 'Welcome.']) {
      const text = createSiweMessage({
        ...fields,
        resources: [...fields.resources],
        chainId: 137,
        issuedAt: new Date(time),
        expirationTime: new Date(time),
        notBefore: new Date(time),
        ...(statement && { statement }),
      })
      const message = parseMessage(text)
      expect(message).toEqual({
        ...fields,
        namespace: 'eip155',
        chainId: '137',
        issuedAt: time,
        expirationTime: time,
        notBefore: time,
        ...(statement && { statement }),
      })
      expect(parseSiweMessage(formatMessage(message))).toMatchObject({ nonce: fields.nonce, chainId: 137 })
    }
  })
})
