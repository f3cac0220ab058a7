import { describe, expect, it } from 'vitest'
import { typedPermit } from '../testing/fakeConversions.ts'
import { ALICE, BOB } from '../testing/fakeWallet.ts'
import { encodePermit, type PermitTerms, readPermit } from './permit.ts'
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
  it('that is for this swap is written anew, however its addresses and numbers are written', () => {
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

describe('a signed permit', () => {
  const signature = (last: string) => `0x${'ab'.repeat(64)}${last}`

  it('is the signature, the amount and the deadline', () => {
    const encoded = encodePermit(signature('1b'), 5n, 1_700_000_300n)
    expect(encoded).toBe(
      `${signature('1b')}${'5'.padStart(64, '0')}${(1_700_000_300).toString(16).padStart(64, '0')}`,
    )
  })

  it('ends in 27 or 28, whatever the wallet counts from', () => {
    expect(encodePermit(signature('00'), 0n, 0n)?.slice(130, 132)).toBe('1b')
    expect(encodePermit(signature('01'), 0n, 0n)?.slice(130, 132)).toBe('1c')
  })

  it('is none when a contract wallet answers a signature of its own kind', () => {
    expect(encodePermit(`0x${'ab'.repeat(300)}`, 1n, 1n)).toBe(undefined)
    expect(encodePermit('0x', 1n, 1n)).toBe(undefined)
  })
})
