import { describe, expect, it } from 'vitest'

import { systemClock } from '../clock.ts'
import { createEvmAdapter } from './evmAdapter.ts'

describe('the receipt of a transaction', () => {
  const HASH = `0x${'ab'.repeat(32)}`
  const receiptFrom = (answer: unknown) =>
    createEvmAdapter(systemClock).receipt({ caipNetworkId: 'eip155:1', node: async () => answer }, HASH)

  it.each([
    ['0x1', 'success'],
    ['0x0', 'reverted'],
  ])('with the status %s is %s', async (status, said) => {
    expect(await receiptFrom({ transactionHash: HASH.toUpperCase().replace('X', 'x'), status })).toBe(said)
  })

  it.each([
    ['none', null],
    ['one of another transaction', { transactionHash: `0x${'cd'.repeat(32)}`, status: '0x1' }],
    ['one of no transaction', { status: '0x0' }],
  ])('is waited for when there is %s', async (_, answer) => {
    expect(await receiptFrom(answer)).toBe('pending')
  })
})
