import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, parseAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import type { SwapContracts } from '../../types/swapContracts.ts'
import { NATIVE, type SwapTerms } from './effect.ts'
import { VerificationError } from './refusal.ts'
import { verifyCalls } from './verifyCalls.ts'

const numbered = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`
const [caller, self] = [numbered(1), numbered(2)]
const user = numbered(0xa11ce)
const attacker = numbered(0xbad)
const between = numbered(0x333)
const bought = numbered(0xb0)
const wrapped = numbered(0x57e7)
const router = numbered(0x1102)

const contracts: SwapContracts = { wrapped, routers: { [router]: 'universal-router' } }
const now = 1_700_000_000
const terms = { user, sold: NATIVE, bought, amount: 1_000n, minimum: 990n, now }
const soon = BigInt(now + 1_200)
const wholeBalance = 1n << 255n

const abi = parseAbi(['function execute(bytes commands, bytes[] inputs, uint256 deadline)'])
const path = (...tokens: Hex[]): Hex => `0x${tokens.map((token) => token.slice(2)).join('0001f4')}`

type Command = readonly [code: string, input: Hex]

const wrap = (amount = 1_000n, to = self): Command => [
  '0b',
  encodeAbiParameters(parseAbiParameters('address, uint256'), [to, amount]),
]
const swapV3 = (to: Hex, amount: bigint, minimum: bigint, tokens: Hex[], payer = false): Command => [
  '00',
  encodeAbiParameters(parseAbiParameters('address, uint256, uint256, bytes, bool'), [
    to,
    amount,
    minimum,
    path(...tokens),
    payer,
  ]),
]
const swapV2 = (to: Hex, amount: bigint, minimum: bigint, tokens: Hex[], payer = false): Command => [
  '08',
  encodeAbiParameters(parseAbiParameters('address, uint256, uint256, address[], bool'), [
    to,
    amount,
    minimum,
    tokens,
    payer,
  ]),
]
const portion = (token: Hex, bps: bigint): Command => [
  '06',
  encodeAbiParameters(parseAbiParameters('address, address, uint256'), [token, attacker, bps]),
]
const sweep = (token: Hex, to: Hex, minimum: bigint): Command => [
  '04',
  encodeAbiParameters(parseAbiParameters('address, address, uint256'), [token, to, minimum]),
]
const unwrap = (to: Hex, minimum = 0n): Command => [
  '0c',
  encodeAbiParameters(parseAbiParameters('address, uint256'), [to, minimum]),
]
const permit = (token: Hex, amount: bigint, spender: Hex, deadline = soon): Command => [
  '0a',
  encodeAbiParameters(
    parseAbiParameters([
      'PermitSingle single, bytes signature',
      'struct PermitSingle { PermitDetails details; address spender; uint256 sigDeadline; }',
      'struct PermitDetails { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
    ]),
    [
      { details: { token, amount, expiration: Number(soon), nonce: 7 }, spender, sigDeadline: deadline },
      `0x${'cd'.repeat(65)}`,
    ],
  ),
]

function execute(commands: readonly Command[], deadline = soon, codes?: string): Hex {
  const joined = codes ?? commands.map(([code]) => code).join('')
  const inputs = commands.map(([, input]) => input)
  return encodeFunctionData({ abi, functionName: 'execute', args: [`0x${joined}`, inputs, deadline] })
}

const verifyData = (data: Hex, value = 1_000n, change: Partial<SwapTerms> = {}) =>
  verifyCalls([{ to: router, data, value }], contracts, { ...terms, ...change })
const verify = (...commands: Command[]) => verifyData(execute(commands))
const expectRefused = (...commands: Command[]) => expect(() => verify(...commands)).toThrow(VerificationError)

const direct = swapV3(user, 1_000n, 990n, [wrapped, between, bought])
const half = swapV2(self, 500n, 0n, [wrapped, bought])
const crossing = [
  swapV2(self, 500n, 0n, [wrapped, between]),
  swapV3(self, wholeBalance, 0n, [between, bought]),
]

describe('a call of the UniversalRouter', () => {
  it('that is the swap passes: along one path, or over v2 and v3 pools and paid out together', () => {
    verify(wrap(), direct, unwrap(caller))
    verify(wrap(), swapV2(caller, 1_000n, 990n, [wrapped, bought]))
    verify(wrap(), half, ...crossing, sweep(bought, user, 990n), unwrap(user))
    verify(wrap(), half, ...crossing, portion(bought, 100n), sweep(bought, user, 990n))
  })

  it.each<[string, readonly Command[]]>([
    ['pays somebody else', [wrap(), swapV3(attacker, 1_000n, 990n, [wrapped, bought])]],
    ['sweeps to somebody else', [wrap(), half, half, sweep(bought, attacker, 990n)]],
    ['gives what is left to somebody else', [wrap(), direct, unwrap(attacker)]],
    ['leaves what is left in the router', [wrap(), direct, unwrap(self)]],
    ['pays another token', [wrap(), swapV3(user, 1_000n, 990n, [wrapped, between])]],
    ['sweeps another token', [wrap(), half, half, sweep(between, user, 990n)]],
    ['sells another token', [wrap(), swapV3(user, 1_000n, 990n, [between, bought])]],
    ['may pay less', [wrap(), swapV3(user, 1_000n, 989n, [wrapped, bought])]],
    ['pays out nothing', [wrap(), half, half]],
    ['sells less than is sent', [wrap(), swapV3(user, 999n, 990n, [wrapped, bought])]],
    ['sells more than is sent', [wrap(), swapV3(user, 1_001n, 990n, [wrapped, bought])]],
    ['wraps a part', [wrap(999n), direct]],
    ['wraps for somebody else', [wrap(1_000n, attacker), direct]],
    [
      'takes tokens of the user through Permit2',
      [wrap(), swapV3(user, 1_000n, 990n, [wrapped, bought], true)],
    ],
    ['takes tokens of the user for v2 pools', [wrap(), swapV2(user, 1_000n, 990n, [wrapped, bought], true)]],
    ['keeps more than one percent', [wrap(), half, half, portion(bought, 101n), sweep(bought, user, 990n)]],
    [
      'gives a part of another token away',
      [wrap(), half, half, portion(wrapped, 1n), sweep(bought, user, 990n)],
    ],
    // The router reads the minimum of a sweep as a number of 160 bits.
    ['names a minimum that the router would cut', [wrap(), half, half, sweep(bought, user, 1n << 160n)]],
    ['goes through no pool', [wrap(), swapV2(user, 1_000n, 990n, []), direct]],
  ])('that %s is refused', (_, commands) => {
    expectRefused(...commands)
  })

  it.each([
    '01',
    '02',
    '03',
    '05',
    '07',
    '09',
    '0a',
    '0d',
    '0e',
    '10',
    '13',
    '14',
    '21',
    '40',
    '80',
    '84',
    '8b',
  ])('with the command %s is refused', (code) => {
    expectRefused(wrap(), direct, [code, sweep(bought, user, 0n)[1]])
  })

  it('with a command that may fail unnoticed is refused', () => {
    const commands = [wrap(), half, half, sweep(bought, user, 990n)]
    expect(() => verifyData(execute(commands, soon, '0b080884'))).toThrow(VerificationError)
  })

  it('with more commands than inputs, or fewer, is refused', () => {
    for (const codes of ['0b', '0b0000']) {
      expect(() => verifyData(execute([wrap(), direct], soon, codes))).toThrow(VerificationError)
    }
  })

  it('that could be mined after an hour is refused', () => {
    const commands = [wrap(), direct]
    verifyData(execute(commands, BigInt(now + 3_600)))
    expect(() => verifyData(execute(commands, BigInt(now + 3_601)))).toThrow(VerificationError)
  })

  it('that sends another value, or sells a token, is refused', () => {
    const data = execute([wrap(), direct])
    expect(() => verifyData(data, 999n)).toThrow(VerificationError)
    expect(() => verifyData(data, 1_001n)).toThrow(VerificationError)
    expect(() => verifyData(data, 0n, { sold: wrapped })).toThrow(VerificationError)
  })

  it('by execute without a deadline, or by another function, is refused', () => {
    const data = execute([wrap(), direct])
    for (const selector of ['24856bc3', '12345678'])
      expect(() => verifyData(`0x${selector}${data.slice(10)}`)).toThrow(VerificationError)
  })

  it('with any word replaced by the attacker, or by all ones, passes only where it pays the user as before', () => {
    const data = execute([wrap(), half, ...crossing, sweep(bought, user, 990n), unwrap(user)])
    const words = (data.length - 10) / 64
    for (let at = 0; at < Math.floor(words); at += 1) {
      for (const word of [attacker.slice(2).padStart(64, '0'), 'f'.repeat(64)]) {
        const start = 10 + at * 64
        const bent = `${data.slice(0, start)}${word}${data.slice(start + 64)}` as Hex
        try {
          verifyData(bent)
        } catch (error) {
          expect(error).toBeInstanceOf(VerificationError)
          continue
        }
        expect(data.slice(start, start + 64)).not.toBe(user.slice(2).padStart(64, '0'))
      }
    }
  })
})

describe('a call of the UniversalRouter that sells a token', () => {
  const sold = numbered(0x501d)
  const sell = (bought: Hex, ...commands: Command[]) => verifyData(execute(commands), 0n, { sold, bought })
  const allowed = permit(sold, 1_000n, router)
  const whole = swapV3(user, 1_000n, 990n, [sold, between, bought], true)
  const first = swapV2(self, 500n, 0n, [sold, bought], true)
  const second = swapV3(self, 500n, 0n, [sold, wrapped], true)

  it('that is the swap passes: with a permit or without, for a token or the native currency', () => {
    sell(bought, allowed, whole)
    sell(bought, whole)
    const across = swapV2(self, wholeBalance, 0n, [wrapped, bought])
    sell(bought, allowed, first, second, across, portion(bought, 100n), sweep(bought, user, 990n))
    const ether = swapV3(self, 1_000n, 0n, [sold, wrapped], true)
    sell(NATIVE as Hex, allowed, ether, unwrap(user, 990n))
    sell(
      NATIVE as Hex,
      allowed,
      ether,
      unwrap(self),
      portion(numbered(0), 50n),
      sweep(numbered(0), user, 990n),
    )
  })

  it.each<[string, Hex, readonly Command[]]>([
    ['has a permit for another token', bought, [permit(between, 1_000n, router), whole]],
    ['has a permit for another amount', bought, [permit(sold, 1_001n, router), whole]],
    ['has a permit for another spender', bought, [permit(sold, 1_000n, attacker), whole]],
    ['has a permit that holds for days', bought, [permit(sold, 1_000n, router, soon + 86_400n), whole]],
    ['takes what is in the router', bought, [allowed, swapV3(user, 1_000n, 990n, [sold, bought])]],
    ['takes an unnamed amount', bought, [allowed, swapV3(user, wholeBalance, 990n, [sold, bought], true)]],
    ['takes more than is sold', bought, [allowed, swapV3(user, 1_001n, 990n, [sold, bought], true)]],
    ['takes less than is sold', bought, [allowed, first, sweep(bought, user, 990n)]],
    ['takes another token', bought, [allowed, swapV3(user, 1_000n, 990n, [between, bought], true)]],
    ['pays somebody else', bought, [allowed, swapV3(attacker, 1_000n, 990n, [sold, bought], true)]],
    ['wraps ether', bought, [allowed, wrap(0n), whole]],
    [
      'unwraps for somebody else',
      NATIVE as Hex,
      [allowed, swapV3(self, 1_000n, 0n, [sold, wrapped], true), unwrap(attacker, 990n)],
    ],
    [
      'leaves the ether in the router',
      NATIVE as Hex,
      [allowed, swapV3(self, 1_000n, 0n, [sold, wrapped], true), unwrap(self, 990n)],
    ],
    [
      'pays the wrapped currency',
      NATIVE as Hex,
      [allowed, swapV3(user, 1_000n, 990n, [sold, wrapped], true)],
    ],
    [
      'sweeps the wrapped currency',
      NATIVE as Hex,
      [allowed, swapV3(self, 1_000n, 0n, [sold, wrapped], true), sweep(wrapped, user, 990n)],
    ],
    [
      'may pay less ether',
      NATIVE as Hex,
      [allowed, swapV3(self, 1_000n, 0n, [sold, wrapped], true), unwrap(user, 989n)],
    ],
  ])('that %s is refused', (_, to, commands) => {
    expect(() => sell(to, ...commands)).toThrow(VerificationError)
  })

  it('that sends ether is refused', () => {
    expect(() => verifyData(execute([allowed, whole]), 1n, { sold })).toThrow(VerificationError)
  })

  it('with any word replaced by the attacker, or by all ones, passes only where it pays the user as before', () => {
    const data = execute([
      allowed,
      first,
      second,
      swapV2(self, wholeBalance, 0n, [wrapped, bought]),
      sweep(bought, user, 990n),
    ])
    for (let start = 10; start + 64 <= data.length; start += 64) {
      for (const word of [attacker.slice(2).padStart(64, '0'), 'f'.repeat(64)]) {
        const bent = `${data.slice(0, start)}${word}${data.slice(start + 64)}` as Hex
        try {
          verifyData(bent, 0n, { sold })
        } catch (error) {
          expect(error).toBeInstanceOf(VerificationError)
          continue
        }
        expect(data.slice(start, start + 64)).not.toBe(user.slice(2).padStart(64, '0'))
      }
    }
  })
})
