import { describe, expect, it } from 'vitest'
import { ALICE, BOB } from '../testing/fakeWallet.ts'
import { sentState } from './sentState.ts'

const HASH = `0x${'ab'.repeat(32)}`
const call = { from: ALICE, to: BOB, value: '5', data: '0x', nonce: 3, sinceBlock: 90 }
const shown = { hash: HASH, from: ALICE, to: BOB, nonce: '0x3', value: '0x5', input: '0x' }

interface Chain {
  shown?: object | null
  /** The next nonce at a height, or an error of the node. */
  nonceAt?: (block: string) => string
  transactions?: readonly object[]
}

/** A node whose chain is at height 100. */
function nodeOf({ shown = null, nonceAt = () => '0x4', transactions = [] }: Chain) {
  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_blockNumber: () => '0x64',
    eth_getTransactionByHash: () => shown,
    eth_getTransactionCount: ([, block]) => nonceAt(String(block)),
    eth_getBlockByNumber: () => ({ transactions }),
    eth_getTransactionReceipt: ([hash]) => ({ transactionHash: hash, status: '0x1' }),
  }
  return async (method: string, params: readonly unknown[]) => {
    const answer = answers[method]
    if (!answer) throw new Error(`${method} is not expected`)
    return answer(params)
  }
}

const usedFrom = (height: number) => (block: string) =>
  block === 'latest' || block === 'pending' || Number(block) >= height ? '0x4' : '0x3'

describe('a transaction without a receipt', () => {
  const other = { ...shown, hash: '0x01' }

  it.each([
    ['is pending while a node knows it', { shown, nonceAt: () => '0x3' }, 'pending', HASH],
    ['is unknown where no node does', { nonceAt: () => '0x3' }, 'unknown', HASH],
    ['was sped up by the same call', { nonceAt: usedFrom(95), transactions: [other] }, 'success', '0x01'],
    [
      'was cancelled by a transfer of nothing to its sender',
      { nonceAt: usedFrom(95), transactions: [{ ...other, to: ALICE, value: '0x0' }] },
      'cancelled',
      '0x01',
    ],
    [
      'was replaced by another transaction',
      { nonceAt: usedFrom(95), transactions: [{ ...other, value: '0x6' }] },
      'replaced',
      '0x01',
    ],
    ['is pending while the one that used its nonce is not found', { nonceAt: usedFrom(95) }, 'pending', HASH],
    [
      'is pending where another account carries it',
      { shown: { ...shown, from: BOB, nonce: '0x1' } },
      'pending',
      HASH,
    ],
  ] as const)('%s', async (_, chain, status, hash) => {
    expect(await sentState(nodeOf(chain), HASH, call)).toMatchObject({ status, hash })
  })

  it('is pending where the node keeps no older states', async () => {
    const nonceAt = (block: string) => {
      if (block !== 'latest' && Number(block) < 98) throw new Error('missing trie node')
      return '0x4'
    }
    expect(await sentState(nodeOf({ nonceAt }), HASH, call)).toMatchObject({ status: 'pending' })
  })

  it('keeps the call of its sender where another account carries it', async () => {
    const carried = { ...shown, from: BOB, nonce: '0x1' }
    expect((await sentState(nodeOf({ shown: carried }), HASH, call)).call).toBe(call)
  })

  it('is pending until a node has shown it', async () => {
    const { nonce: _, ...unseen } = call
    expect(await sentState(nodeOf({ transactions: [other] }), HASH, unseen)).toMatchObject({
      status: 'pending',
      hash: HASH,
    })
  })

  it('fails where the node does, so that the next look decides', async () => {
    const fails = () => Promise.reject(new Error('rate limited'))
    await expect(sentState(fails, HASH, call)).rejects.toThrow('rate limited')
  })
})
