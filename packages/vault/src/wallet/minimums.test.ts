import { zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { minimumsOf } from './minimums.ts'
import type { Preview } from './preview.ts'

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const native = { kind: 'ASSET_KIND_NATIVE' } as const
const usdc = { kind: 'ASSET_KIND_ERC20', contract: USDC } as const
const counterparty = `0x${'22'.repeat(20)}`
const leaves = (asset: typeof native | typeof usdc, amount: string) => ({
  asset,
  amount,
  outgoing: true,
  counterparty,
})

describe('the least that an account must have after its calls', () => {
  it('is what the preview showed, less a twentieth of what leaves and does not return', () => {
    const preview: Preview = {
      changes: [leaves(usdc, '60'), leaves(usdc, '40'), { asset: usdc, amount: '7' }],
      minimumBalances: [{ asset: { ...usdc, contract: USDC.toLowerCase() }, amount: '1000' }],
    }
    expect(minimumsOf(preview, 0n)).toEqual([{ token: USDC.toLowerCase(), amount: 996n }])
  })

  it('leaves the native token for the fee that the account pays', () => {
    const preview: Preview = {
      changes: [leaves(native, '100')],
      minimumBalances: [{ asset: native, amount: '1000' }],
    }
    expect(minimumsOf(preview, 300n)).toEqual([{ token: zeroAddress, amount: 695n }])
    expect(minimumsOf(preview, 0n)).toEqual([{ token: zeroAddress, amount: 995n }])
  })

  it('covers what arrives, with the same margin', () => {
    const arrives = [{ asset: usdc, amount: '100' }]
    const minimumBalances = [{ asset: usdc, amount: '1100' }]
    expect(minimumsOf({ changes: arrives, minimumBalances }, 0n)).toEqual([{ token: USDC, amount: 1_095n }])
    const both = [...arrives, leaves(usdc, '60')]
    expect(minimumsOf({ changes: both, minimumBalances }, 0n)).toEqual([{ token: USDC, amount: 1_097n }])
  })

  it('stays near the balance with round trips, in whatever order they are', () => {
    const trips = Array.from({ length: 10 }, () => [
      leaves(usdc, '50000'),
      { asset: usdc, amount: '50000' },
    ]).flat()
    const minimumBalances = [{ asset: usdc, amount: '50000' }]
    for (const changes of [trips, [...trips].reverse()])
      expect(minimumsOf({ changes, minimumBalances }, 0n)).toEqual([{ token: USDC, amount: 49_950n }])
    const changes = [...trips, leaves(usdc, '200')]
    expect(minimumsOf({ changes, minimumBalances }, 0n)).toEqual([{ token: USDC, amount: 49_940n }])
  })

  it.each([
    ['without a preview', undefined],
    ['of a preview without balances', {}],
    [
      'of an asset of which all may leave',
      { changes: [leaves(usdc, '100')], minimumBalances: [{ asset: usdc, amount: '5' }] },
    ],
  ])('is nothing %s', (_, preview) => {
    expect(minimumsOf(preview, 0n)).toEqual([])
  })
})
