import { describe, expect, it } from 'vitest'
import type { NodeRequest } from '../types/environment.ts'
import { readOutcome } from './outcome.ts'

const LAST = 1_000n

function outcomeAt(height: number, status: object | null = null) {
  const node: NodeRequest = async (method) => (method === 'getBlockHeight' ? height : { value: [status] })
  return readOutcome(node, 'signature', LAST)
}

describe('a transaction without a status', () => {
  it.each([
    ['pending', 'before its last block height', 999],
    ['pending', 'soon after it, because the node of the status may be behind', 1_032],
    ['expired', 'well after it', 1_033],
  ])('is %s %s', async (outcome, _when, height) => {
    expect(await outcomeAt(height)).toBe(outcome)
  })

  it('is not expired once it has one', async () => {
    expect(await outcomeAt(2_000, { err: null, confirmationStatus: 'confirmed' })).toBe('success')
  })
})
