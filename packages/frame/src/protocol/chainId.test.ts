import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readChainId } from './chainId.ts'
import { calls } from './messages.ts'

describe('a chain id', () => {
  it.each([
    ['eip155:1', 'eip155:1'],
    ['eip155:9007199254740991', 'eip155:9007199254740991'],
    [1, 'eip155:1'],
    ['1', 'eip155:1'],
    ['0x7a69', 'eip155:31337'],
    ['0x01', 'eip155:1'],
    ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
  ])('%s is that of %s', (value, id) => {
    expect(readChainId(value)).toBe(id)
  })

  it.each([
    'eip155:1e0',
    'eip155:0x1',
    'eip155:01',
    'eip155:0b1',
    'eip155:+1',
    'eip155:-1',
    'eip155: 1',
    'eip155:1.0',
    'eip155:0',
    'eip155:9007199254740992',
    'eip155:',
    'EIP155:1',
    'eip155:1\n',
    '01',
    '1e0',
    '-1',
    '0x',
    '0X1',
    '0x0',
    '0xffffffffffffffff',
    '',
    0,
    -1,
    1.5,
    2 ** 53,
    Number.NaN,
    null,
    undefined,
    {},
  ])('is not %j', (value) => {
    expect(readChainId(value)).toBeUndefined()
    expect(calls.SWITCH_NETWORK.request({ chainId: value })).toBe(false)
  })

  it('has one form for each number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (number) => {
        const forms = [number, String(number), `0x${number.toString(16)}`, `eip155:${number}`]
        expect(new Set(forms.map(readChainId))).toEqual(new Set([`eip155:${number}`]))
      }),
    )
  })
})
