import { type Address, type Blockhash, createNoopSigner, type Instruction } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { describe, expect, it } from 'vitest'
import { compile } from './message.ts'
import { verifySigned } from './signedMessage.ts'

const alice = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV' as Address
const bob = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address
const blockhash = '1'.repeat(32) as Blockhash
const terms = { computeUnitLimit: 1_000, computeUnitPrice: 0n }

function transfer(destination: Address, amount = 5n): Instruction {
  return getTransferSolInstruction({ source: createNoopSigner(alice), destination, amount })
}

const assertion: Instruction = {
  programAddress: 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95' as Address,
  data: new Uint8Array([9]),
}

function transaction(instructions = [transfer(bob)], fee = terms, hash = blockhash): Uint8Array {
  return compile(alice, instructions, fee, { blockhash: hash, lastValidBlockHeight: 0n })
}

const newer = 'So11111111111111111111111111111111111111112' as Blockhash

describe('a signed transaction', () => {
  it('that was not changed expires with the blockhash that was requested', () => {
    expect(verifySigned(transaction(), transaction())).toBe(true)
  })

  it.each([
    ['a newer blockhash', transaction([transfer(bob)], terms, newer)],
    ['another fee', transaction([transfer(bob)], { ...terms, computeUnitPrice: 7n })],
    ['an assertion', transaction([transfer(bob), assertion])],
  ])('with %s is accepted as changed', (_change, signed) => {
    expect(verifySigned(transaction(), signed)).toBe(false)
  })

  it.each([
    ['to another receiver', transaction([transfer(alice)])],
    ['of another amount', transaction([transfer(bob, 6n)])],
    ['with a second transfer', transaction([transfer(bob), transfer(alice)])],
    ['without the transfer', transaction([])],
    ['that cannot be decoded', new Uint8Array([1, 2])],
  ])('%s is refused', (_change, signed) => {
    expect(() => verifySigned(transaction(), signed)).toThrow('another transaction')
  })
})
