import { describe, expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import type { NodeRequest } from '../types/environment.ts'
import { createSolanaAdapter } from './solanaAdapter.ts'

const caipNetworkId = 'solana:HawserDevnet11111111111111111111'
const node: NodeRequest = async (method) => (method === 'getBlockHeight' ? 2_000 : { value: [null] })

describe('a transaction that was sent before the page was loaded again', () => {
  const receipt = (lastBlock?: string) =>
    createSolanaAdapter(systemClock).receipt({ caipNetworkId, node }, 'signature', undefined, lastBlock)

  it('expires at the block height that was kept with it', async () => {
    expect(await receipt('1000')).toBe('expired')
    expect(await receipt('2000')).toBe('pending')
  })

  it('is unknown when none was kept', async () => {
    expect(await receipt()).toBe('unknown')
  })
})
