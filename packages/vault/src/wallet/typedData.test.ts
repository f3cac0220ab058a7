import { hashTypedData, type TypedDataDefinition } from 'viem'
import { describe, expect, it } from 'vitest'
import { readTypedData } from './typedData.ts'

const SPENDER = `0x${'66'.repeat(20)}`
const asset = [
  { name: 'token', type: 'address' },
  { name: 'amounts', type: 'uint256[2]' },
]
const order = {
  domain: { name: 'Shop', chainId: 1 },
  types: {
    Asset: asset,
    Order: [
      { name: 'assets', type: 'Asset[]' },
      { name: 'spender', type: 'address' },
      { name: 'note', type: 'string' },
    ],
  },
  primaryType: 'Order',
  message: { spender: SPENDER, note: 'a', assets: [{ amounts: ['0x10', 2], token: SPENDER }] },
}
const one = (type: string, value: unknown) => ({
  ...order,
  types: { Order: [{ name: 'a', type }] },
  message: { a: value },
})

describe('typed data', () => {
  it('has its declared members alone, in declared order, at every depth', () => {
    const [only] = order.message.assets
    const read = readTypedData({
      ...order,
      message: { 'Amount to receive': '5,000 USDC', ...order.message, assets: [{ ...only, padding: 'x' }] },
    })
    expect(JSON.stringify(read.message)).toBe(
      JSON.stringify({ assets: [{ token: SPENDER, amounts: ['16', '2'] }], spender: SPENDER, note: 'a' }),
    )
    expect(read.domain).toEqual({ name: 'Shop', chainId: '1' })
    expect(Object.keys(read.types)).toEqual(['Asset', 'Order', 'EIP712Domain'])
  })

  it('has the hash of what the site sent', () => {
    expect(hashTypedData(readTypedData(JSON.stringify(order)))).toBe(
      hashTypedData(order as unknown as TypedDataDefinition),
    )
  })

  it('has only the types that it uses', () => {
    const types = { ...order.types, Padding: [{ name: 'zz', type: 'string' }] }
    expect(Object.keys(readTypedData({ ...order, types }).types)).not.toContain('Padding')
  })

  it('has the last of two members of one name in JSON, as readers of JSON do', () => {
    const text = JSON.stringify(order).replace('"note":"a"', '"note":"a","note":"b"')
    expect(readTypedData(text).message).toMatchObject({ note: 'b' })
  })

  it.each([
    ['a missing member', { ...order, message: { spender: SPENDER, note: 'a' } }],
    ['a missing message', { ...order, message: undefined }],
    ['a list in the place of a struct', { ...order, message: [] }],
    ['no JSON', '{'],
    ['a primary type of the prototype', { ...order, primaryType: 'toString' }],
    ['the domain as its message', { ...order, primaryType: 'EIP712Domain', types: { EIP712Domain: [] } }],
    ['a type that is not declared', one('Missing', {})],
    ['a type of the prototype', one('constructor', {})],
    ['a struct with the name of an address', { ...order, types: { ...order.types, address: asset } }],
    ['a struct with a name like a number', { ...order, types: { ...order.types, uintX: asset } }],
    ['a struct that is a prototype', JSON.parse(JSON.stringify(order).replace('"Asset":[', '"__proto__":['))],
    ['a member twice', { ...order, types: { ...order.types, Asset: [...asset, ...asset] } }],
    ['a member that is a prototype', { ...order, types: { Order: [{ name: '__proto__', type: 'bool' }] } }],
    ['a list of another length', one('uint8[2]', [1])],
    ['a number over 2^53', one('uint256', 2 ** 53)],
    ['a fraction', one('uint256', 1.5)],
    ['an exponent', one('uint256', '1e18')],
    ['an empty number', one('uint256', '')],
    ['a number with spaces', one('uint256', ' 1')],
    ['a number with a leading zero', one('uint256', '01')],
    ['a number out of range', one('uint8', 256)],
    ['a number of no type', one('uint7', 1)],
    ['a negative number without a sign', one('uint8', -1)],
    ['a truth value as text', one('bool', 'false')],
    ['text as a number', one('string', 1)],
    ['text of half a character', one('string', '\ud800')],
    ['bytes of another length', one('bytes4', '0x12')],
    ['half a byte', one('bytes', '0x1')],
    ['an address that is short', one('address', '0x12')],
  ])('is refused with %s', (_, value) => {
    expect(() => readTypedData(value)).toThrow(expect.objectContaining({ code: -32602 }))
  })

  it.each([
    ['int8', '-128', '-128'],
    ['uint256', `0x${'f'.repeat(64)}`, String(2n ** 256n - 1n)],
    ['uint16', 7, '7'],
    ['bytes', '0xAB', '0xab'],
    ['bool', false, false],
    ['address', SPENDER, SPENDER],
  ])('has a %s in one form', (type, value, expected) => {
    expect(readTypedData(one(type, value)).message).toEqual({ a: expected })
  })

  it('that refers to itself without an end is refused', () => {
    const types = { Order: [{ name: 'next', type: 'Order[]' }] }
    let message: object = { next: [] }
    for (let depth = 0; depth < 40; depth += 1) message = { next: [message] }
    expect(() => readTypedData({ ...order, types, message })).toThrow('nested too deep')
  })
})
