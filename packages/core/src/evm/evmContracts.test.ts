import { describe, expect, it } from 'vitest'
import { evmContracts } from './evmContracts.ts'

describe('what a transaction brought', () => {
  const HASH = `0x${'ab'.repeat(32)}`
  const TOKEN = '0x000000000000000000000000000000000000601d'
  const OWNER = '0x00000000000000000000000000000000000a11ce'
  const padded = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
  const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  const logs = [{ address: TOKEN, topics: [TRANSFER, padded(TOKEN), padded(OWNER)], data: '0x2a' }]
  const received = (receipt: unknown) => evmContracts.received(async () => receipt, HASH, TOKEN, OWNER)

  it('is what its receipt says', async () => {
    expect(await received({ transactionHash: HASH.toUpperCase().replace('X', 'x'), logs })).toBe(42n)
  })

  it.each([
    ['there is none', null],
    ['it is of another transaction', { transactionHash: `0x${'cd'.repeat(32)}`, logs }],
    ['it names no transaction', { logs }],
  ])('is not known from a receipt when %s', async (_, receipt) => {
    expect(await received(receipt)).toBe(undefined)
  })
})
