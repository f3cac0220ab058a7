import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generateKeyPair } from '../crypto/keys.ts'
import { agree, commitmentOf, idOf, meetingKeyOf, type Transcript } from './agreement.ts'

const site = generateKeyPair('11'.repeat(32))
const wallet = generateKeyPair('22'.repeat(32))
const opening = '33'.repeat(32)

const transcript: Transcript = {
  id: 'AAAAAAAAAAAAAAAAAAAAAA',
  projectId: '00000000000000000000000000000001',
  origin: 'https://shop.example',
  commitment: commitmentOf(site.publicKey, opening),
  walletKey: wallet.publicKey,
  siteKey: site.publicKey,
  opening,
}

describe('an agreement', () => {
  it('is the same on both sides', () => {
    const agreed = agree(site.privateKey, wallet.publicKey, transcript)
    expect(agree(wallet.privateKey, site.publicKey, transcript)).toEqual(agreed)
    expect(agreed).toMatchObject({
      digits: expect.stringMatching(/^\d{6}$/),
      symKey: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  it('depends on all that was said', () => {
    const agreed = agree(site.privateKey, wallet.publicKey, transcript)
    const changes: Partial<Transcript>[] = [
      { id: 'BAAAAAAAAAAAAAAAAAAAAA' },
      { projectId: '00000000000000000000000000000002' },
      { origin: 'https://shop.example:444' },
      { commitment: '44'.repeat(32) },
      { walletKey: site.publicKey },
      { siteKey: wallet.publicKey },
      { opening: '55'.repeat(32) },
    ]
    for (const change of changes) {
      const other = agree(site.privateKey, wallet.publicKey, { ...transcript, ...change })
      expect(other.symKey).not.toBe(agreed.symKey)
      expect(other.digits).not.toBe(agreed.digits)
    }
  })

  it('has no two readings of its texts', () => {
    const a = agree(site.privateKey, wallet.publicKey, { ...transcript, id: 'ab', projectId: 'c' })
    const b = agree(site.privateKey, wallet.publicKey, { ...transcript, id: 'a', projectId: 'bc' })
    expect(a.symKey).not.toBe(b.symKey)
  })

  it('is refused with a key of low order', () => {
    expect(() => agree(site.privateKey, '00'.repeat(32), transcript)).toThrow()
    expect(() => agree(site.privateKey, `01${'00'.repeat(31)}`, transcript)).toThrow()
  })

  it('has digits that are spread evenly', () => {
    const seen = Array.from({ length: 10 }, () => 0)
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const random = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
        const { digits } = agree(site.privateKey, wallet.publicKey, { ...transcript, opening: random })
        expect(digits).toMatch(/^\d{6}$/)
        seen[Number(digits[0])] = (seen[Number(digits[0])] ?? 0) + 1
      }),
      { numRuns: 300, seed: 1 },
    )
    expect(Math.min(...seen)).toBeGreaterThan(10)
  })
})

it('has an id that is the beginning of its commitment', () => {
  expect(idOf(`fbff${'00'.repeat(30)}`)).toBe('-_8AAAAAAAAAAAAAAAAAAA')
})

it('commits to a key, which an opening shows', () => {
  expect(commitmentOf(site.publicKey, opening)).not.toBe(commitmentOf(wallet.publicKey, opening))
  expect(commitmentOf(site.publicKey, opening)).not.toBe(commitmentOf(site.publicKey, site.publicKey))
})

it('gives everybody who knows the id the key of the meeting, and nobody else', () => {
  expect(meetingKeyOf('a')).toMatch(/^[0-9a-f]{64}$/)
  expect(meetingKeyOf('a')).not.toBe(meetingKeyOf('b'))
})
