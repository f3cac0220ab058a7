import { encodeFunctionData, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  abi,
  algebra,
  algebraStep,
  attacker,
  between,
  bought,
  call,
  contracts,
  expectRefused,
  honest,
  multicall,
  numbered,
  oneInch,
  oneInchSwap,
  router02,
  single,
  sold,
  soon,
  sweep,
  terms,
  user,
  v2Router,
  v3Abi,
  verify,
  wrapped,
  zeroWord,
} from '../../testing/swapCalls.ts'
import { NATIVE, type SwapTerms, ZERO_ADDRESS } from './effect.ts'
import { VerificationError } from './refusal.ts'
import { verifyCalls } from './verifyCalls.ts'

describe('the native currency', () => {
  const paysEther: Partial<SwapTerms> = { sold: NATIVE }
  const buysEther: Partial<SwapTerms> = { bought: NATIVE }
  const wrapSell = { ...honest, tokenIn: wrapped }
  const unwrap = (minimum: bigint, to: Hex) =>
    encodeFunctionData({ abi, functionName: 'unwrapWETH9', args: [minimum, to] })
  const toRouter = { ...honest, tokenOut: wrapped, to: numbered(2), minimum: 0n }

  it('is sold with exactly its value', () => {
    const data = multicall(soon, single(wrapSell), encodeFunctionData({ abi, functionName: 'refundETH' }))
    verify([call(router02, data, 1_000n)], paysEther)
    expectRefused([call(router02, data, 999n)], paysEther)
    expectRefused([call(router02, data, 0n)], paysEther)
  })

  it('is bought by unwrapping to the user', () => {
    verify([call(router02, multicall(soon, single(toRouter), unwrap(990n, user)))], buysEther)
    expectRefused([call(router02, multicall(soon, single(toRouter), unwrap(990n, attacker)))], buysEther)
    expectRefused([call(router02, multicall(soon, single(toRouter), unwrap(989n, user)))], buysEther)
    expectRefused([call(router02, multicall(soon, single(toRouter)))], buysEther)
  })

  it('is wrapped and unwrapped by the pinned wrapper only', () => {
    const deposit = encodeFunctionData({ abi, functionName: 'deposit' })
    const withdraw = encodeFunctionData({ abi, functionName: 'withdraw', args: [1_000n] })
    verify([call(wrapped, deposit, 1_000n)], { sold: NATIVE, bought: wrapped, minimum: 1_000n })
    verify([call(wrapped, withdraw)], { sold: wrapped, bought: NATIVE, minimum: 1_000n })
    expectRefused([call(wrapped, deposit, 999n)], { sold: NATIVE, bought: wrapped })
    expectRefused([call(attacker, deposit, 1_000n)], { sold: NATIVE, bought: wrapped })
    expectRefused([call(wrapped, withdraw)], { sold: NATIVE, bought: wrapped })
  })

  it('is sold and bought through a v2 router, however it spells it', () => {
    const paid = encodeFunctionData({
      abi,
      functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
      args: [990n, [wrapped, bought], user, soon],
    })
    verify([call(v2Router, paid, 1_000n)], paysEther)
    expectRefused([call(v2Router, paid, 1_001n)], paysEther)
    const got = encodeFunctionData({
      abi,
      functionName: 'swapExactTokensForAVAXSupportingFeeOnTransferTokens',
      args: [1_000n, 990n, [sold, wrapped], user, soon],
    })
    verify([call(v2Router, got)], buysEther)
    expectRefused([call(v2Router, got)])
  })

  it('is sold to vendors with its value', () => {
    const native = { ...honest, tokenIn: NATIVE as Hex }
    verify([call(oneInch, oneInchSwap(native), 1_000n)], paysEther)
    expectRefused([call(oneInch, oneInchSwap(native), 999n)], paysEther)
  })
})

describe('calls of a router beside the swap', () => {
  const feeSweep = (bps: bigint, minimum: bigint) => {
    const args = [bought, minimum, user, bps, attacker] as const
    return encodeFunctionData({ abi, functionName: 'sweepTokenWithFee', args })
  }
  const inRouter = single({ ...honest, to: numbered(2), minimum: 0n })

  it('may be a fee that leaves the user the minimum', () => {
    verify([call(router02, multicall(soon, inRouter, feeSweep(100n, 1_000n)))])
    expectRefused([call(router02, multicall(soon, inRouter, feeSweep(100n, 990n)))])
    expectRefused([call(router02, multicall(soon, inRouter, feeSweep(101n, 10_000n)))])
  })

  it('may not leave anything in the router, or sell only a part', () => {
    expectRefused([call(router02, multicall(soon, inRouter))])
    expectRefused([call(router02, multicall(soon, single(honest, 5n)))])
  })

  it('may be the permit of this swap, and no other', () => {
    const permit = (token: Hex, value: bigint) =>
      encodeFunctionData({
        abi,
        functionName: 'selfPermitIfNecessary',
        args: [token, value, soon, 27, zeroWord, zeroWord],
      })
    verify([call(router02, multicall(soon, permit(sold, 1_000n), single(honest)))])
    expectRefused([call(router02, multicall(soon, permit(sold, 1_001n), single(honest)))])
    expectRefused([call(router02, multicall(soon, permit(bought, 1_000n), single(honest)))])
  })

  it('may not be a multicall within, or another payment', () => {
    expectRefused([call(router02, multicall(soon, multicall(soon, single(honest))))])
    expectRefused([call(router02, multicall(soon, single(honest), sweep(sold, 0n, attacker)))])
    expectRefused([call(router02, multicall(soon, single(honest), sweep(bought, 0n, attacker)))])
  })

  it('is refused where 1inch may sell only a part', () => {
    expectRefused([call(oneInch, oneInchSwap(honest, 1n))])
  })
})

describe('the router of Algebra', () => {
  const unwrapping = (functionName: 'unwrapWNativeToken' | 'unwrapWETH9') =>
    algebra(
      algebraStep({ ...honest, tokenOut: wrapped }, ZERO_ADDRESS, 0n),
      encodeFunctionData({ abi: v3Abi, functionName, args: [honest.minimum, user] }),
    )

  it('pays the native currency by its own name for that', () => {
    const native = { ...terms, bought: NATIVE }
    expect(() => verifyCalls([unwrapping('unwrapWNativeToken')], contracts, native)).not.toThrow()
    expect(() => verifyCalls([unwrapping('unwrapWETH9')], contracts, native)).toThrow(VerificationError)
  })

  it('is refused a path with fees', () => {
    const step = algebraStep(honest, user, honest.minimum)
    const stretched = step.replace(between.slice(2), `${between.slice(2)}0001f4`) as Hex
    expect(() => verifyCalls([algebra(stretched)], contracts, terms)).toThrow(VerificationError)
  })
})
