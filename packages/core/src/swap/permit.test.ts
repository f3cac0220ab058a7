import { describe, expect, it } from 'vitest'
import { ALICE, BOB } from '../testing/fakeWallet.ts'
import { checkPermit, encodePermit, PermitError, type PermitTerms } from './permit.ts'

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const ROUTER = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'

const terms: PermitTerms = { token: TOKEN, owner: ALICE, spender: ROUTER, amount: 5n, chainId: '31337' }

function permit(message: object = {}, domain: object = {}, primaryType = 'Permit'): string {
  return JSON.stringify({
    primaryType,
    domain: { name: 'Test USD', version: '1', chainId: 31337, verifyingContract: TOKEN, ...domain },
    message: { owner: ALICE, spender: ROUTER, value: '5', nonce: '0', deadline: '1700000300', ...message },
  })
}

describe('a permit', () => {
  it('that is for this swap tells its deadline, however its addresses are written', () => {
    expect(checkPermit(permit({ owner: ALICE.toLowerCase() }), terms)).toBe(1_700_000_300n)
    expect(checkPermit(permit({ value: '0x5' }, { chainId: '31337' }), terms)).toBe(1_700_000_300n)
  })

  it.each([
    ['another spender', permit({ spender: BOB })],
    ['another owner', permit({ owner: BOB })],
    ['another amount', permit({ value: '6' })],
    ['another token', permit({}, { verifyingContract: BOB })],
    ['another chain', permit({}, { chainId: 1 })],
    ['another kind of message', permit({}, {}, 'Order')],
    ['no deadline', permit({ deadline: 'never' })],
    ['no JSON', 'Permit'],
    ['nothing', 'null'],
  ])('that is for %s is refused', (_, typedData) => {
    expect(() => checkPermit(typedData, terms)).toThrow(PermitError)
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
