import { hexToBytes } from '@noble/hashes/utils'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientIdOf, signClientToken } from './clientAuth.ts'
import { bytesToBase58, utf8ToBytes } from './encoding.ts'
import { openEnvelope, sealEnvelope } from './envelope.ts'
import { deriveSymKey, generateKeyPair, hashText, topicOf } from './keys.ts'

const alice = generateKeyPair('11'.repeat(32))
const bob = generateKeyPair('22'.repeat(32))
const iv = hexToBytes('33'.repeat(12))
const seed = '44'.repeat(32)
const symKey = 'dc5774cb6f12055709d3faed4fbe6b36f192c9a610a9fa0ad748c9f89975083f'
const text = '{"id":1,"jsonrpc":"2.0","method":"test","params":{}}'

describe('keys', () => {
  it('derives X25519 public keys', () => {
    expect(alice.publicKey).toBe('7b4e909bbe7ffe44c465a220037d608ee35897d31ef972f07f74892cb0f73f13')
    expect(bob.publicKey).toBe('0faa684ed28867b97f4a6a2dee5df8ce974e76b7018e3f22a1c4cf2678570f20')
  })

  it('derives the same shared key and topic on both sides', () => {
    expect(deriveSymKey(alice.privateKey, bob.publicKey)).toBe(symKey)
    expect(deriveSymKey(bob.privateKey, alice.publicKey)).toBe(symKey)
    expect(topicOf(symKey)).toBe('b2bfbfd11c76cffd30bfd6c29163d24eeb5612ad7280ef7fea544d406a81f084')
  })

  it('refuses a public key of low order', () => {
    expect(() => deriveSymKey(alice.privateKey, '00'.repeat(32))).toThrow()
  })
})

describe('envelopes', () => {
  const symmetric =
    'ADMzMzMzMzMzMzMzMzcHIJWfCkDTSehVep8Y047ES2rUGgsWOPF1iPNsgtJ/MxQn5KGt9FCZK2ifoBIdVapknZDeIuwVdmrp1EV9VUfIdlRi'
  const withSender =
    'AXtOkJu+f/5ExGWiIAN9YI7jWJfTHvly8H90iSyw9z8TMzMzMzMzMzMzMzMzNwcglZ8KQNNJ6FV6nxjTjsRLatQaCxY48XWI82yC0n8zFCfkoa30UJkraJ+gEh1VqmSdkN4i7BV2aunURX1VR8h2VGI='

  it('seals and opens type 0', () => {
    expect(sealEnvelope(text, symKey, { iv })).toBe(symmetric)
    expect(openEnvelope(symmetric, { symKey })).toBe(text)
  })

  it('seals type 1, which the receiver opens with its private key', () => {
    expect(sealEnvelope(text, symKey, { iv, senderPublicKey: alice.publicKey })).toBe(withSender)
    expect(openEnvelope(withSender, { privateKey: bob.privateKey })).toBe(text)
  })

  it('opens base64url without padding', () => {
    const linked = withSender.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
    expect(openEnvelope(linked, { privateKey: bob.privateKey })).toBe(text)
  })

  it('refuses another key, a changed byte, another type and a fragment', () => {
    expect(() => openEnvelope(symmetric, { symKey: '00'.repeat(32) })).toThrow()
    expect(() => openEnvelope(`${symmetric.slice(0, 40)}AAAA${symmetric.slice(44)}`, { symKey })).toThrow()
    expect(() => openEnvelope('AnRleHQ=', { symKey })).toThrow('type 2')
    expect(() => openEnvelope(symmetric.slice(0, 16), { symKey })).toThrow('too short')
    expect(() => openEnvelope(symmetric, { privateKey: bob.privateKey })).toThrow('without a sender')
  })

  it('opens what it sealed, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (any) => {
        expect(openEnvelope(sealEnvelope(any, symKey), { symKey })).toBe(any)
      }),
    )
  })

  it('throws an Error for any text that is not an envelope', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (any) => {
        expect(() => openEnvelope(any, { symKey })).toThrow()
      }),
    )
  })

  it('carries a number of 80,000 digits unchanged', () => {
    const digits = '7'.repeat(80_000)
    const payload = JSON.stringify({ params: [digits] })
    expect(JSON.parse(openEnvelope(sealEnvelope(payload, symKey), { symKey })).params).toEqual([digits])
  })
})

describe('client authentication', () => {
  it('names a client by the did:key of its public key', () => {
    expect(clientIdOf(seed)).toBe('did:key:z6MktwtqAzuD5F77tAMBMwNs1KybZeff61EehV9xB1ZpXQG7')
  })

  it('signs the token that relays expect', () => {
    const token = signClientToken(seed, {
      audience: 'wss://relay.example',
      nonce: '0'.repeat(64),
      issuedAt: 1_700_000_000,
    })
    expect(token.split('.')[2]).toBe(
      '-06tDzbrXxrBf0bl1RtCohv3Aq4BxiIJnUgNj0Lh9Lv8G647V3OWPToJ4FfFCwtKOp6FlrbERVEYDNY1xUj8Bw',
    )
  })

  it('identifies a subscription by topic and client', () => {
    expect(hashText('ab'.repeat(32) + clientIdOf(seed))).toBe(
      'f31e0fdd93cffdab25179275e87ea4f6ea48d681585f55473be85eb8549fb9bf',
    )
  })
})

it('encodes leading zero bytes in base58', () => {
  expect(bytesToBase58(Uint8Array.of(0, 0, 1))).toBe('112')
  expect(bytesToBase58(Uint8Array.of(0))).toBe('1')
  expect(bytesToBase58(utf8ToBytes('Hello World!'))).toBe('2NEpo7TZRRrLZSi2U')
})
