import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callsIdOf, readCallsId } from './calls.ts'
import { isAllowedOrigin } from './originPattern.ts'
import { readSigners, readSolanaTransaction, withSignature } from './solanaTransaction.ts'
import { transactionRequest } from './transaction.ts'

const hash = fc.stringMatching(/^0x[0-9a-f]{64}$/)
const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => new Uint8Array(array))

describe('a parser of what a site sends', () => {
  it('reads the ids of calls that it wrote, and no other text', () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(hash, { minLength: 1, maxLength: 50 }), (chainId, hashes) => {
        expect(readCallsId(callsIdOf(chainId, hashes))).toEqual({ chainId, hashes })
      }),
    )
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readCallsId(text)).toBeUndefined()
      }),
    )
  })

  it('reads only whole transactions of Solana', () => {
    fc.assert(
      fc.property(bytes, (data) => {
        const transaction = readSolanaTransaction(data)
        readSigners(data)
        if (!transaction) return
        const [own = new Uint8Array()] = transaction.signers
        const signed = withSignature(data, transaction, own, new Uint8Array(64).fill(7))
        expect(signed).toHaveLength(data.length)
        expect(readSolanaTransaction(signed ?? data)?.message).toEqual(transaction.message)
      }),
    )
  })

  it('admits no transaction whose quantities or bytes are not hexadecimal', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (value) => {
        transactionRequest(value)
      }),
    )
    const field = fc.constantFrom('value', 'gas', 'nonce', 'data', 'to', 'maxFeePerGas')
    fc.assert(
      fc.property(field, fc.string(), (name, text) => {
        fc.pre(!/^0x[0-9a-f]*$/i.test(text))
        expect(transactionRequest({ [name]: text })).toBe(false)
      }),
    )
  })

  it('admits no origin that a pattern does not name', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (origin, pattern) => {
        fc.pre(!pattern.includes('*') && !origin.toLowerCase().includes(pattern.toLowerCase()))
        expect(isAllowedOrigin(`https://${origin}`, [pattern], false)).toBe(false)
      }),
    )
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        const { origin, hostname } = new URL(url)
        expect(isAllowedOrigin(origin, [hostname], false)).toBe(true)
        expect(isAllowedOrigin(`${origin}.evil.example`, [hostname], false)).toBe(false)
      }),
    )
  })
})
