import { describe, expect, it, vi } from 'vitest'
import vectors from '../permissions/vectors.json' with { type: 'json' }
import type { BundlerClient } from './bundlerClient.ts'
import type { AccountChain } from './bundlerTypes.ts'
import { hasPinnedSessions } from './pinned.ts'
import { createSmartAccounts } from './smartAccount.ts'

const OWNER = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'
const OTHER = `0x${'66'.repeat(20)}` as const

const known: AccountChain = {
  chainId: 'eip155:8453',
  delegation: true,
  entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  implementation: '0x63c0c19a282a1b52b07dd5a65b58948a07dae32b',
  factory: '0x69Aa2f9fe1572F1B640E1bbc512f5c3a734fc77c',
  factoryImplementation: '0x48dBe696A4D990079e039489bA2053B36E8FFEC4',
  delegationManager: '0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3',
}

function accountsOf(chain: AccountChain) {
  const rpc = vi.fn()
  const bundler = { call: async () => ({ chains: [chain] }), rpc } as unknown as BundlerClient
  const node = vi.fn()
  return { accounts: createSmartAccounts({ bundler, node }), rpc, node }
}

describe('the contracts of smart accounts on a public chain', () => {
  it('are those of this build', async () => {
    const { accounts } = accountsOf(known)
    expect(await accounts.networks()).toEqual(['eip155:8453'])
    expect(await accounts.addresses('eip155:8453', OWNER)).toContain(OWNER)
  })

  it.each(['implementation', 'factory', 'factoryImplementation', 'delegationManager', 'entryPoint'] as const)(
    'are refused with another %s',
    async (name) => {
      const { accounts, rpc, node } = accountsOf({ ...known, [name]: OTHER })
      expect(await accounts.networks()).toEqual([])
      expect(await accounts.addresses('eip155:8453', OWNER)).toEqual([])
      const preparing = accounts.prepare('eip155:8453', OWNER, [{ to: OTHER, value: 0n, data: '0x' }])
      await expect(preparing).rejects.toMatchObject({
        code: 5710,
        message: expect.stringMatching('does not know'),
      })
      expect(rpc).not.toHaveBeenCalled()
      expect(node).not.toHaveBeenCalled()
    },
  )

  it('may be others on a development chain', async () => {
    const { accounts } = accountsOf({ ...known, chainId: 'eip155:31337', implementation: OTHER })
    expect(await accounts.networks()).toEqual(['eip155:31337'])
  })
})

it('the contracts of sessions are those of the vectors that the service is tested with', () => {
  const { delegationManager, factory, implementation, enforcers } = vectors.contracts
  const named = { chainId: 'eip155:8453', delegationManager, factory, implementation, enforcers } as never
  expect(hasPinnedSessions(named)).toBe(true)
})
