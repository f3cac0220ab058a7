import { encodeFunctionData, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  abi,
  allowanceHolder,
  attacker,
  call,
  expectRefused,
  honest,
  numbered,
  oneInch,
  oneInchSwap,
  settler,
  sold,
  verify,
  zeroXSwap,
} from '../../testing/swapCalls.ts'
import { NATIVE } from './effect.ts'

describe('a call of 0x', () => {
  it('names the contract that is to be looked up in the registry, and no other call names one', () => {
    expect([...verify([call(allowanceHolder, zeroXSwap(honest))])]).toEqual([settler])
    expect([...verify([call(oneInch, oneInchSwap(honest))])]).toEqual([])
  })

  it('is refused where the amount is given to another contract than the one that is called, or to none', () => {
    const none = numbered(0)
    for (const parties of [{ operator: attacker }, { target: attacker }, { operator: none, target: none }]) {
      expectRefused([call(allowanceHolder, zeroXSwap(honest, parties))])
    }
  })

  it('is refused where it pays no account or no token, or calls anything else within', () => {
    expectRefused([call(allowanceHolder, zeroXSwap({ ...honest, to: numbered(0) }))])
    expectRefused([call(allowanceHolder, zeroXSwap({ ...honest, tokenOut: numbered(0) }))], {
      bought: NATIVE,
    })
    const transfer = encodeFunctionData({ abi, functionName: 'transfer', args: [attacker, 1_000n] })
    for (const execute of [transfer, '0x12' as Hex]) {
      expectRefused([call(allowanceHolder, zeroXSwap(honest, { execute }))])
    }
  })

  it('sells the native currency with its value, and buys it', () => {
    const data = zeroXSwap({ ...honest, tokenIn: numbered(0) })
    verify([call(allowanceHolder, data, 1_000n)], { sold: NATIVE })
    expectRefused([call(allowanceHolder, data, 999n)], { sold: NATIVE })
    verify([call(allowanceHolder, zeroXSwap({ ...honest, tokenOut: NATIVE as Hex }))], { bought: NATIVE })
  })

  it('is refused at the contract itself, which an allowance must never be given to', () => {
    const data = zeroXSwap(honest)
    expectRefused([call(settler, data)])
    const approve = encodeFunctionData({ abi, functionName: 'approve', args: [settler, 1_000n] })
    expectRefused([call(sold, approve), call(allowanceHolder, data)])
  })
})
