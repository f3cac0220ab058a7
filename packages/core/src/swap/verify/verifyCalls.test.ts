import { encodeFunctionData, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  abi,
  attacker,
  between,
  bought,
  call,
  expectRefused,
  honest,
  multicall,
  now,
  type Parts,
  router02,
  routes,
  single,
  sold,
  soon,
  user,
  v2Router,
  verify,
  wrapped,
  zeroWord,
} from '../../testing/swapCalls.ts'
import type { ContractCall } from '../../types/adapter.ts'
import { builtInContracts } from './contracts.gen.ts'
import { VerificationError } from './refusal.ts'

describe.each(Object.entries(routes))('a call of %s', (name, route) => {
  const hasDeadline = /SwapRouter|v2 router/.test(name)

  it('that is the swap passes, and may pay more', () => {
    verify([route(honest)])
    verify([route({ ...honest, minimum: 5_000n })])
  })

  it.each<[string, Partial<Parts>]>([
    ['pays somebody else', { to: attacker }],
    ['takes another token', { tokenIn: between }],
    ['takes more', { amount: 1_002n }],
    ['takes less', { amount: 998n }],
    ['pays another token', { tokenOut: attacker }],
    ['may pay less', { minimum: 989n }],
    ['may pay nothing', { minimum: 0n }],
  ])('that %s is refused', (_, change) => {
    expectRefused([route({ ...honest, ...change })])
  })

  it.runIf(hasDeadline)('that could be mined after an hour is refused', () => {
    verify([route({ ...honest, deadline: BigInt(now + 3_600) })])
    expectRefused([route({ ...honest, deadline: BigInt(now + 3_601) })])
  })

  it('that sends the native currency along, or begins with another selector, or ends early is refused', () => {
    const { to, data } = route(honest)
    expectRefused([{ to, data, value: 1n }])
    expectRefused([{ to, data: `0x12345678${data.slice(10)}`, value: 0n }])
    for (let cut = data.length - 64; cut > 2; cut -= 64)
      expectRefused([{ to, data: data.slice(0, cut), value: 0n }])
  })

  it('at any other contract, the sold token included, is refused', () => {
    const { data } = route(honest)
    for (const to of [attacker, sold, bought, user, wrapped]) expectRefused([{ to, data, value: 0n }])
  })

  it('with any word replaced by the attacker, or by all ones, passes only where it pays the user as before', () => {
    const { to, data } = route(honest)
    // Executors and their data are chosen by the vendors: routers enforce the minimum. Offsets and paddings
    // change nothing or fail.
    const words = (data.length - 10) / 64
    for (let at = 0; at < Math.floor(words); at += 1) {
      for (const word of [attacker.slice(2).padStart(64, '0'), 'f'.repeat(64)]) {
        const start = 10 + at * 64
        const bent = `${data.slice(0, start)}${word}${data.slice(start + 64)}`
        try {
          verify([{ to, data: bent, value: 0n }])
        } catch (error) {
          expect(error).toBeInstanceOf(VerificationError)
          continue
        }
        expect(data.slice(start, start + 64)).not.toBe(user.slice(2).padStart(64, '0'))
      }
    }
  })
})

describe('an approval in a batch', () => {
  const approve = (spender: Hex, amount: bigint) =>
    encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] })
  const swap = call(router02, multicall(soon, single(honest)))

  it('is of exactly what the router takes, after a reset perhaps', () => {
    verify([call(sold, approve(router02, 1_000n)), swap])
    verify([call(sold, approve(router02, 0n)), call(sold, approve(router02, 1_000n)), swap])
  })

  it('is of what each of several routers takes', () => {
    const half = { ...honest, amount: 500n, minimum: 495n }
    const calls = [
      call(sold, approve(router02, 500n)),
      call(sold, approve(v2Router, 500n)),
      call(router02, multicall(soon, single(half))),
      routes['a v2 router']?.(half) as ContractCall,
    ]
    verify(calls)
    expectRefused([call(sold, approve(router02, 1_000n)), ...calls.slice(1)])
  })

  it.each<[string, ContractCall]>([
    ['for more', call(sold, approve(router02, 1_001n))],
    ['for ever', call(sold, approve(router02, 2n ** 256n - 1n))],
    ['for nothing alone', call(sold, approve(router02, 0n))],
    ['for somebody else', call(sold, approve(attacker, 1_000n))],
    ['for a router that does not swap', call(sold, approve(v2Router, 1_000n))],
    ['of another token', call(bought, approve(router02, 1_000n))],
    ['in upper case', call(sold, approve(router02, 1_000n).toUpperCase().replace('0X', '0x') as Hex)],
    ['with bytes behind', call(sold, `${approve(router02, 1_000n)}00`)],
    ['with a word behind', call(sold, `${approve(router02, 1_000n)}${'0'.repeat(64)}`)],
    ['cut short', call(sold, approve(router02, 1_000n).slice(0, -2) as Hex)],
    [
      'for an address with more than 20 bytes',
      call(sold, approve(router02, 1_000n).replace('095ea7b30', '095ea7b31') as Hex),
    ],
    ['that pays', call(sold, approve(router02, 1_000n), 1n)],
    [
      'by transfer',
      call(sold, encodeFunctionData({ abi, functionName: 'transfer', args: [attacker, 1_000n] })),
    ],
    [
      'by transferFrom',
      call(sold, encodeFunctionData({ abi, functionName: 'transferFrom', args: [user, attacker, 1n] })),
    ],
    [
      'by increaseAllowance',
      call(sold, encodeFunctionData({ abi, functionName: 'increaseAllowance', args: [router02, 1n] })),
    ],
    [
      'by setApprovalForAll',
      call(sold, encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [router02, true] })),
    ],
    ['by Permit2', call(sold, `0x87517c45${'0'.repeat(256)}`)],
    [
      'by permit',
      call(
        sold,
        encodeFunctionData({
          abi,
          functionName: 'permit',
          args: [user, router02, 1n, soon, 27, zeroWord, zeroWord],
        }),
      ),
    ],
    ['by a plain payment', call(attacker, '0x', 1n)],
  ])('is refused %s', (_, bad) => {
    expectRefused([bad, swap])
    expectRefused([swap, bad])
  })

  it('is refused behind the swap, and without it', () => {
    expectRefused([swap, call(sold, approve(router02, 1_000n))])
    expectRefused([call(sold, approve(router02, 1_000n))])
    expectRefused([])
  })
})

describe('the contracts that the page is built with', () => {
  it('are of every network with venues, each with its wrapper and routers', () => {
    expect(Object.keys(builtInContracts)).toHaveLength(12)
    for (const { wrapped, routers } of Object.values(builtInContracts)) {
      expect(wrapped).toMatch(/^0x[0-9a-fA-F]{40}$/)
      expect(Object.keys(routers).length).toBeGreaterThan(0)
    }
    expect(builtInContracts['eip155:1']?.routers['0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45']).toBe(
      'swap-router-02',
    )
  })
})
