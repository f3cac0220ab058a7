import { describe, expect, it } from 'vitest'
import { typedPermit, typedSingle } from '../testing/fakeConversions.ts'
import { ALICE, BOB } from '../testing/fakeWallet.ts'
import { encodePermit, type PermitTerms, readPermit, readPermitSingle } from './permit.ts'
import { VerificationError } from './verify/refusal.ts'

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const ROUTER = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'

const terms: PermitTerms = {
  token: TOKEN,
  owner: ALICE,
  spender: ROUTER,
  amount: 5n,
  chainId: '31337',
  now: 1_700_000_000,
}

function permit(message: object = {}, domain: object = {}, change: object = {}): string {
  return JSON.stringify({ ...typedPermit({ value: '5', ...message }, domain), ...change })
}

const { types } = typedPermit()

describe('a permit', () => {
  it('that is for this swap is serialized again, in whatever form its addresses and numbers are', () => {
    const usual = readPermit(permit(), terms)
    expect(usual.deadline).toBe(1_700_000_300n)
    expect(JSON.parse(usual.typedData)).toEqual(typedPermit({ value: '5' }))
    expect(readPermit(permit({ owner: ALICE.toLowerCase() }), terms)).toEqual(usual)
    expect(readPermit(permit({ value: '0x5', nonce: 0 }, { chainId: '31337' }), terms)).toEqual(usual)
  })

  it.each([
    ['another spender', permit({ spender: BOB })],
    ['another owner', permit({ owner: BOB })],
    ['another amount', permit({ value: '6' })],
    ['another token', permit({}, { verifyingContract: BOB })],
    ['another chain', permit({}, { chainId: 1 })],
    ['another kind of message', permit({}, {}, { primaryType: 'Order' })],
    ['no deadline', permit({ deadline: 'never' })],
    ['more than an hour', permit({ deadline: '1700003601' })],
    ['ever', permit({ deadline: String(2n ** 256n - 1n) })],
    ['no nonce', permit({ nonce: 'any' })],
    ['a domain without a name', permit({}, { name: 7 })],
    ['a domain with a salt', permit({}, { salt: `0x${'00'.repeat(32)}` })],
    ['a member more', permit({ allowed: true })],
    ['no types', permit({}, {}, { types: undefined })],
    [
      'a struct with a member more',
      permit({}, {}, { types: { ...types, Permit: [...types.Permit, { name: 'allowed', type: 'bool' }] } }),
    ],
    [
      'a struct with another type',
      permit(
        {},
        {},
        { types: { ...types, Permit: types.Permit.map(({ name }) => ({ name, type: 'bytes32' })) } },
      ),
    ],
    ['one struct more', permit({}, {}, { types: { ...types, Order: [] } })],
    ['no JSON', 'Permit'],
    ['nothing', 'null'],
  ])('that is for %s is refused', (_, typedData) => {
    expect(() => readPermit(typedData, terms)).toThrow(VerificationError)
  })
})

describe('a permit of Permit2', () => {
  const single = (details: object = {}, message: object = {}, domain: object = {}, change: object = {}) =>
    JSON.stringify({ ...typedSingle(ROUTER, { amount: '5', ...details }, message, domain), ...change })
  const own = typedSingle(ROUTER).types

  it('that is for this swap is serialized again, in whatever form its addresses and numbers are', () => {
    const usual = readPermitSingle(single(), terms)
    expect(usual.words).toEqual([5n, 1_700_000_300n, 3n, 1_700_000_300n])
    expect(JSON.parse(usual.typedData)).toEqual(typedSingle(ROUTER, { amount: '5' }))
    expect(readPermitSingle(single({ token: TOKEN.toLowerCase() }), terms)).toEqual(usual)
    expect(readPermitSingle(single({ amount: '0x5', nonce: 3 }, {}, { chainId: '31337' }), terms)).toEqual(
      usual,
    )
  })

  it.each([
    ['another spender', single({}, { spender: BOB })],
    ['another amount', single({ amount: '6' })],
    ['another token', single({ token: BOB })],
    ['another contract', single({}, {}, { verifyingContract: BOB })],
    ['another domain', single({}, {}, { name: 'Permit3' })],
    ['another chain', single({}, {}, { chainId: 1 })],
    ['another kind of message', single({}, {}, {}, { primaryType: 'PermitBatch' })],
    ['no deadline', single({}, { sigDeadline: 'never' })],
    ['a signature of more than an hour', single({}, { sigDeadline: '1700003601' })],
    ['an allowance of more than an hour', single({ expiration: '1700003601' })],
    ['no expiration', single({ expiration: undefined })],
    ['no nonce', single({ nonce: 'any' })],
    ['a nonce of more than 48 bits', single({ nonce: String(2n ** 48n) })],
    ['a negative nonce', single({ nonce: '-1' })],
    ['a domain with a version', single({}, {}, { version: '1' })],
    ['a member more', single({}, { witness: BOB })],
    ['a detail more', single({ allowed: true })],
    ['no details', single({}, { details: undefined })],
    ['no types', single({}, {}, {}, { types: undefined })],
    ['a struct less', single({}, {}, {}, { types: { ...own, PermitDetails: undefined } })],
    ['a token of EIP-2612', permit()],
    ['no JSON', 'PermitSingle'],
    ['nothing', 'null'],
  ])('that is for %s is refused', (_, typedData) => {
    expect(() => readPermitSingle(typedData, terms)).toThrow(VerificationError)
  })
})

describe('a signed permit', () => {
  const signature = (last: string) => `0x${'ab'.repeat(64)}${last}`

  it('is the signature, the amount and the deadline', () => {
    const encoded = encodePermit(signature('1b'), 5n, 1_700_000_300n)
    expect(encoded).toBe(
      `${signature('1b')}${'5'.padStart(64, '0')}${(1_700_000_300).toString(16).padStart(64, '0')}`,
    )
  })

  it('ends in 27 or 28, also for a wallet that returns 0 or 1', () => {
    expect(encodePermit(signature('00'), 0n, 0n)?.slice(130, 132)).toBe('1b')
    expect(encodePermit(signature('01'), 0n, 0n)?.slice(130, 132)).toBe('1c')
  })

  it('is undefined for the signature of a contract wallet', () => {
    expect(encodePermit(`0x${'ab'.repeat(300)}`, 1n, 1n)).toBe(undefined)
    expect(encodePermit('0x', 1n, 1n)).toBe(undefined)
  })
})
