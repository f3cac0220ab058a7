import * as fc from 'fast-check'
import { type Address, type Hex, hashTypedData, stringToHex, toFunctionSelector, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { caveatsOf, rulesSalt } from './caveats.ts'
import { decodeContext, delegationHash, delegationTypedData, encodeContext, ROOT } from './delegation.ts'
import { expectForeignContracts, type SessionContracts } from './framework.ts'
import { narrow, permissionsOf, policiesOf, readSession } from './session.ts'
import { ownersOf, sessionAccount } from './sessionAccount.ts'
import { tokenFunctions } from './tokenFunctions.ts'
// The tests of the service in Go read the same file.
import vectors from './vectors.json' with { type: 'json' }

const NOW = 1_800_000_000

describe('a session of the shared vectors', () => {
  it.each(vectors.cases)('$name', async (vector) => {
    const { contracts, chainId, delegator, nonce, salt, now } = vectors
    const session = readSession(vector.expiry, vector.permissions, vector.policies, now)
    const delegate = sessionAccount(await ownersOf(vector.keys), contracts as never)
    const caveats = caveatsOf(session, delegate, BigInt(nonce), contracts.enforcers)
    const { signature } = vectors
    const { rulesSalt: salted } = vector as { readonly rulesSalt?: string }
    expect(rulesSalt(session)).toBe(salted && BigInt(salted))
    const delegation = {
      delegate,
      delegator: delegator as Address,
      authority: ROOT,
      caveats,
      salt: BigInt(salt),
    }
    expect({
      delegate,
      caveats: caveats.map(({ enforcer, terms }) => ({ enforcer, terms })),
      hash: delegationHash(delegation),
      signingHash: hashTypedData(
        delegationTypedData(delegation, chainId, contracts.delegationManager as Address),
      ),
      context: encodeContext([{ ...delegation, signature: signature as Hex }]),
    }).toEqual(vector.delegation)
    expect(delegationHash(decodeContext(vector.delegation.context))).toBe(vector.delegation.hash)
  })
})

const native = {
  type: 'native-token-recurring-allowance',
  data: { allowance: '0x64', start: NOW, period: 86_400 },
}
const token = {
  type: 'erc20-recurring-allowance',
  data: { token: `0x${'5'.repeat(40)}`, allowance: '0x32', start: NOW, period: 3_600 },
}
const buy = {
  type: 'function',
  name: 'buy',
  inputs: [
    { name: 'price', type: 'uint256[2]' },
    { name: 'item', type: 'uint256' },
  ],
}
const call = (fields: object, abi: readonly object[] = [buy]) => ({
  type: 'contract-call',
  data: { address: `0x${'6'.repeat(40)}`, abi, functions: [{ functionName: 'buy', ...fields }] },
})
const ruleOf = (type: string, operator: string) =>
  call({ args: [{ operator, value: '0x1' }] }, [{ ...buy, inputs: [{ name: 'x', type }] }])
/** Its selector is that of transfer(address,uint256). */
const hidden = call({ functionName: 'many_msg_babbage' }, [
  { ...buy, name: 'many_msg_babbage', inputs: [{ name: 'x', type: 'bytes1' }] },
])
const read = (permissions: readonly unknown[], policies: readonly unknown[] = [], expiry = NOW + 3_600) =>
  readSession(expiry, permissions, policies, NOW)

it('the known functions of tokens say what each does with the tokens of its caller', () => {
  const approving =
    /^(approve|increaseA|permit|setApprovalForAll|setOperator|setAuthorization|allow|authorize)/
  for (const { signature, effect } of Object.values(tokenFunctions))
    expect([signature, effect]).toEqual([signature, approving.test(signature) ? 'approves' : 'sends'])
})

describe('a request of a session', () => {
  it('is read with the positions of the words that its rules are about', () => {
    const session = read([native, token, call({ args: [null, { operator: 'EQUAL', value: '0x7' }] })])
    expect(session).toMatchObject({ calls: 1_000, native: { amount: 100n }, token: { amount: 50n } })
    expect(session.functions).toMatchObject([
      {
        // The site could name it like a harmless function.
        signature: undefined,
        selector: toFunctionSelector('function buy(uint256[2],uint256)'),
        effect: undefined,
        valueLimit: 0n,
        rules: [{ position: 2, type: 'uint256', offset: 4 + 64 }],
      },
    ])
  })

  it.each([
    ['no permission', [], [], undefined],
    ['an end in the past', [native], [], NOW],
    ['more than 30 days', [native], [], NOW + 2_592_001],
    ['a time in milliseconds', [{ ...native, data: { ...native.data, start: NOW * 1_000 } }], [], undefined],
    [
      'a start before the request',
      [{ ...native, data: { ...native.data, start: NOW - 601 } }],
      [],
      undefined,
    ],
    ['an allowance of 0', [{ ...native, data: { ...native.data, allowance: '0x0' } }], [], undefined],
    ['a decimal amount', [{ ...native, data: { ...native.data, allowance: '100' } }], [], undefined],
    ['two allowances of one kind', [native, native], [], undefined],
    ['a token that is no address', [{ ...token, data: { ...token.data, token: '0x5' } }], [], undefined],
    ['an unknown type', [{ type: 'all', data: {} }], [], undefined],
    ['an unknown policy', [native], [{ type: 'gas', data: {} }], undefined],
    ['code of another contract', [call({ operation: 'DelegateCall' })], [], undefined],
    ['no function', [{ ...call({}), data: { ...call({}).data, functions: [] } }], [], undefined],
    ['a function that is not in the ABI', [call({ functionName: 'sell' })], [], undefined],
    ['a function that is there twice', [call({}, [buy, { ...buy, inputs: [] }])], [], undefined],
    ['a rule of a list', [call({ args: [{ operator: 'EQUAL', value: '0x1' }] })], [], undefined],
    ['a rule that is unknown', [call({ args: [null, { operator: 'NOT', value: '0x1' }] })], [], undefined],
    ['a rule too many', [call({ args: [null, null, { operator: 'EQUAL', value: '0x1' }] })], [], undefined],
    ['a comparison of an address', [ruleOf('address', 'LESS_THAN')], [], undefined],
    ['a comparison of a truth value', [ruleOf('bool', 'GREATER_THAN')], [], undefined],
    ['a comparison of bytes', [ruleOf('bytes32', 'LESS_THAN')], [], undefined],
    ['a rule of fewer bytes than a word', [ruleOf('bytes4', 'EQUAL')], [], undefined],
    ['a name that hides another function', [hidden], [], undefined],
  ])('with %s is refused', (_, permissions, policies, expiry) => {
    expect(() => read(permissions, policies, expiry)).toThrow(expect.objectContaining({ code: -32602 }))
  })

  it('that is malformed is refused, and nothing else is thrown', () => {
    const items = fc.array(
      fc.oneof(
        fc.anything(),
        fc.record({ type: fc.constant('contract-call'), data: fc.object() }),
        fc.record({ type: fc.constant(native.type), data: fc.object() }),
        fc.anything().map((abi) => call({}, [abi as object])),
      ),
      { maxLength: 3 },
    )
    fc.assert(
      fc.property(items, (permissions) => {
        try {
          read(permissions)
        } catch (error) {
          expect(error).toMatchObject({ code: -32602 })
        }
      }),
    )
  })
})

describe('a known function of tokens', () => {
  it.each(Object.entries(tokenFunctions))('has the selector %s', (selector, { signature }) => {
    expect(toFunctionSelector(`function ${signature}`)).toBe(selector)
  })

  it('is named with what it does', () => {
    const inputs = [{ type: 'address' }, { type: 'uint256' }]
    const { functions } = read([call({ functionName: 'approve' }, [{ ...buy, name: 'approve', inputs }])])
    expect(functions).toMatchObject([{ signature: 'approve(address,uint256)', effect: 'approves' }])
  })
})

describe('the contracts of a session', () => {
  const account: Address = `0x${'Ab'.repeat(20)}`
  const contracts = { chainId: 'eip155:8453', ...vectors.contracts } as unknown as SessionContracts
  const targets = [
    zeroAddress,
    account,
    account.toLowerCase(),
    contracts.delegationManager,
    contracts.factory,
    contracts.implementation,
    '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
    ...Object.values(contracts.enforcers),
  ]

  it.each(targets)('cannot be the account or one of sessions: %s', (address) => {
    const calls = { ...call({}), data: { ...call({}).data, address } }
    const tokens = { ...token, data: { ...token.data, token: address } }
    for (const permission of [calls, tokens])
      expect(() => expectForeignContracts(read([permission]), account, contracts)).toThrow('account itself')
  })

  it('can be others', () => {
    expect(expectForeignContracts(read([native, token, call({})]), account, contracts)).toBeUndefined()
  })
})

describe('the limits of a session', () => {
  const requested = read([native, token], [{ type: 'call-limit', data: { count: 9 } }])
  const limits = { expiry: requested.expiry, calls: 9, native: 100n, token: 50n }

  it('can be lowered, and are answered', () => {
    const lowered = narrow(requested, { expiry: NOW + 60, calls: 3, native: 10n, token: 5n })
    expect(lowered).toMatchObject({
      expiry: NOW + 60,
      calls: 3,
      native: { amount: 10n },
      token: { amount: 5n },
    })
    expect(permissionsOf([native, token], lowered)).toEqual([
      { ...native, data: { ...native.data, allowance: '0xa' } },
      { ...token, data: { ...token.data, allowance: '0x5' } },
    ])
    expect(policiesOf([], lowered)).toEqual([{ type: 'call-limit', data: { count: 3 } }])
  })

  it.each([
    ['expiry', { expiry: requested.expiry + 1 }],
    ['calls', { calls: 10 }],
    ['native', { native: 101n }],
    ['token', { token: 51n }],
    ['token', { token: 0n }],
  ])('cannot be raised: %s', (_, raised) => {
    expect(() => narrow(requested, { ...limits, ...raised })).toThrow('A limit of the session was raised')
  })
})

describe('the context of a session', () => {
  it.each([['0x'], [undefined], ['0x12'], [encodeContext([])]])('is not %s', (context) => {
    expect(() => decodeContext(context)).toThrow('The context is not one delegation')
  })

  it('that is malformed is refused', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^0x([0-9a-f]{2}){0,400}$/), (context) => {
        expect(() => decodeContext(context)).toThrow(expect.objectContaining({ code: -32602 }))
      }),
    )
  })
})

it('the keys of a session are read in every form that sites send', async () => {
  const uncompressed = `0x04${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}${'483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8'}`
  const compressed = '0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
  const asText = stringToHex(uncompressed.slice(2))
  for (const publicKey of [uncompressed, compressed, asText])
    expect(await ownersOf([{ type: 'secp256k1', publicKey }])).toEqual([
      '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
    ])
  await expect(ownersOf([{ type: 'secp256r1', publicKey: compressed }])).rejects.toMatchObject({
    code: -32602,
  })
  await expect(ownersOf([])).rejects.toMatchObject({ code: -32602 })
})
