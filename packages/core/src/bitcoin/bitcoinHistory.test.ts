import { expect, it, vi } from 'vitest'
import type { Network } from '../types/network.ts'
import { readHistory } from './bitcoinHistory.ts'

const alice = 'bcrt1qddd479298yf4mtzdxwudadvhd7npj7ln3s5g9awk3'
const bob = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const caipNetworkId = 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328'
const network = {
  caipNetworkId,
  nativeCurrency: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 },
} as unknown as Network
const now = Date.UTC(2026, 0, 2)
const id = 'ab'.repeat(32)

async function read(transaction: object, options: { cursor?: string } = {}) {
  const row = { id, height: 0n, time: 0n, spent: '0', received: '0', fee: '0', counterparties: [] }
  const listTransactions = vi.fn(async () => ({
    transactions: [{ ...row, ...transaction }],
    next: id,
    tipHeight: 105n,
  }))
  const client = { listTransactions } as unknown as Parameters<typeof readHistory>[0]
  const page = await readHistory(client, network, alice, {
    now,
    cursor: undefined,
    signal: undefined,
    ...options,
  })
  return { page, row: page.transactions[0], listTransactions }
}

it('shows what an address paid, with the fee in it, to the one other address', async () => {
  const { row } = await read({
    height: 103n,
    time: 1_767_225_600n,
    spent: '100000000',
    received: '74998590',
    fee: '1410',
    counterparties: [bob],
  })
  expect(row).toEqual({
    id: `${caipNetworkId}:${id}`,
    metadata: {
      operationType: 'send',
      hash: id,
      minedAt: '2026-01-01T00:00:00.000Z',
      sentFrom: alice,
      sentTo: bob,
      status: 'confirmed',
      nonce: 0,
      chain: caipNetworkId,
      block: '103',
      fee: '1410',
    },
    transfers: [
      {
        fungibleInfo: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 },
        direction: 'out',
        quantity: { numeric: '0.2500141' },
        sender: alice,
        recipient: bob,
        spam: false,
      },
    ],
    spam: false,
    confirmations: 3,
  })
})

it('shows what an address was paid without a fee, and names no one of several payers', async () => {
  const { row } = await read({ height: 105n, received: '5000', fee: '200', counterparties: [bob, 'other'] })
  expect(row).toMatchObject({
    metadata: { operationType: 'receive', sentFrom: '', sentTo: alice },
    transfers: [{ direction: 'in', quantity: { numeric: '0.00005' }, sender: '' }],
    confirmations: 1,
  })
  expect(row?.metadata.fee).toBeUndefined()
})

it('shows a transaction that is in no block as pending now', async () => {
  const { row } = await read({ spent: '1000', received: '800', fee: '200' })
  expect(row?.metadata).toMatchObject({ status: 'pending', minedAt: '2026-01-02T00:00:00.000Z', block: '' })
  expect(row?.confirmations).toBeUndefined()
})

it('continues after the last transaction of a page', async () => {
  const { page, listTransactions } = await read({}, { cursor: 'cd'.repeat(32) })
  expect(page.next).toBe(id)
  expect(listTransactions).toHaveBeenCalledWith(
    { chainId: caipNetworkId, address: alice, cursor: 'cd'.repeat(32) },
    {},
  )
})
