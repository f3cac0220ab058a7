import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatPairingUri, parsePairingUri } from './pairingUri.ts'

const topic = 'ab'.repeat(32)
const symKey = 'cd'.repeat(32)
const uri = `wc:${topic}@2?relay-protocol=irn&symKey=${symKey}&expiryTimestamp=1700000300&methods=wc_sessionAuthenticate`
const parts = { topic, symKey, expiryTimestamp: 1_700_000_300, methods: ['wc_sessionAuthenticate'] }

describe('a pairing URI', () => {
  it('is formatted as wallets expect', () => {
    expect(formatPairingUri(parts)).toBe(uri)
    expect(formatPairingUri({ topic, symKey })).toBe(`wc:${topic}@2?relay-protocol=irn&symKey=${symKey}`)
  })

  it('is parsed in every form that it occurs in', () => {
    expect(parsePairingUri(uri)).toEqual(parts)
    expect(parsePairingUri(uri.replace('wc:', 'wc://'))).toEqual(parts)
    expect(parsePairingUri(btoa(uri))).toEqual(parts)
    expect(
      parsePairingUri(`wc:${topic.toUpperCase()}@2?symKey=${symKey}&relay-protocol=irn&relay-data=00`),
    ).toEqual({
      topic,
      symKey,
    })
  })

  for (const [name, text] of [
    ['another version', uri.replace('@2', '@1')],
    ['another relay protocol', uri.replace('irn', 'waku')],
    ['no key', uri.replace('symKey', 'key')],
    ['a short topic', uri.replace(topic, 'ab')],
    ['another scheme', 'https://example.com'],
    ['no text', ''],
  ] as const) {
    it(`is refused: ${name}`, () => {
      expect(() => parsePairingUri(text)).toThrow(Error)
    })
  }

  it('throws an Error for any other text', () => {
    fc.assert(
      fc.property(fc.string(), (any) => {
        expect(() => parsePairingUri(any)).toThrow(Error)
        expect(() => parsePairingUri(`wc:${any}`)).toThrow(Error)
      }),
    )
  })
})
