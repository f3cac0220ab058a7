import { hashTypedData, recoverTypedDataAddress, type TypedDataDefinition } from 'viem'
import { describe, expect, it } from 'vitest'
import { ADDRESS, openRequests, TO } from '../testing/requests.ts'

const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const UPPER = `0x${TOKEN.slice(2).toUpperCase()}`
const WRONG = TOKEN.replace('A0b', 'a0B')

const dataOf = (type: string, value: unknown, domain: object = { name: 'Shop', chainId: 31337 }) => ({
  domain,
  types: { Part: [{ name: 'b', type: 'bool' }], Order: [{ name: 'a', type }] },
  primaryType: 'Order',
  message: value === undefined ? {} : { a: value },
})

/** Requests a signature. Returns what was shown, with the answer or the error. */
async function sign(data: unknown) {
  const { request, contents } = await openRequests()
  const answer = request({ method: 'eth_signTypedData_v4', params: [ADDRESS, data] })
  const signature = await answer.catch((error: unknown) => error)
  return { shown: contents(), signature }
}

describe('eth_signTypedData_v4', () => {
  it.each([
    ['an address in lower case', dataOf('address', TOKEN.toLowerCase()), dataOf('address', TOKEN)],
    ['an address in upper case', dataOf('address', UPPER), dataOf('address', TOKEN)],
    ['an address with a wrong checksum', dataOf('address', WRONG), dataOf('address', TOKEN)],
    [
      'a contract with a wrong checksum',
      dataOf('bool', true, { verifyingContract: WRONG, chainId: 31337 }),
      dataOf('bool', true, { verifyingContract: TOKEN, chainId: 31337 }),
    ],
    ['addresses in a list', dataOf('address[]', [UPPER, TO]), dataOf('address[]', [TOKEN, TO])],
    [
      'a network in hexadecimal',
      dataOf('bool', true, { chainId: '0x7a69' }),
      dataOf('bool', true, { chainId: 31337 }),
    ],
    ['the highest integer', dataOf('uint256', String(2n ** 256n - 1n)), dataOf('uint256', 2n ** 256n - 1n)],
    ['the lowest integer', dataOf('int8', -128), dataOf('int8', -128n)],
    ['JSON text', JSON.stringify(dataOf('uint8', 255)), dataOf('uint8', 255n)],
  ])('signs %s', async (_, data, expected) => {
    const { shown, signature } = await sign(data)
    expect(shown).toHaveLength(1)
    const same = expected as unknown as TypedDataDefinition
    expect(await recoverTypedDataAddress({ ...same, signature: signature as `0x${string}` })).toBe(ADDRESS)
    const [content] = shown
    expect(content?.kind === 'typedData' && hashTypedData(content.data)).toBe(hashTypedData(same))
  })

  it.each<[string, unknown]>([
    ['an integer that its type does not have', dataOf('uint8', 300)],
    ['a missing member', dataOf('uint8', undefined)],
    ['a missing struct', dataOf('Part', undefined)],
    ['a struct that is null', dataOf('Part', null)],
    ['a member that is null', dataOf('address', null)],
    ['an alias of uint256', dataOf('uint', '7')],
    ['an alias of int256', dataOf('int', '7')],
    ['a list of an alias', dataOf('uint[]', ['7'])],
    ['an integer whose size begins with 0', dataOf('uint08', '7')],
    ['a list whose length begins with 0', dataOf('uint8[01]', ['7'])],
    ['short bytes32', dataOf('bytes32', '0x12')],
    ['text as bytes', dataOf('bytes1', 'a')],
    ['a short salt', dataOf('bool', true, { salt: '0x12', chainId: 31337 })],
    ['a number above 2^53', dataOf('uint256', 2 ** 53)],
    [
      'a number above 2^53 in JSON',
      JSON.stringify(dataOf('uint256', 0)).replace('"a":0', '"a":9007199254740993'),
    ],
    ['an address that is too short', dataOf('address', '0x12')],
    ...['abc', {}, '1.5', '0x', '1e3', '', ' 31337', null, 1.5, [31337], true].map(
      (chainId): [string, unknown] => [
        `the network ${JSON.stringify(chainId)}`,
        dataOf('bool', true, { chainId }),
      ],
    ),
  ])('refuses %s before a sheet', async (_, data) => {
    const { shown, signature } = await sign(data)
    expect(signature).toMatchObject({ code: -32602 })
    expect(shown).toEqual([])
  })
})
