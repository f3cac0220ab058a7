import { BundlerError, type SessionContracts, type Vault } from '@hawser/vault'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import vectors from '../../../../packages/vault/src/permissions/vectors.json' with { type: 'json' }

const ADDRESS = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'
const CONTEXT = String(vectors.cases[0]?.delegation.context)

const accounts = {
  isDelegated: vi.fn(async (_chainId: string) => true),
  prepare: vi.fn(async (_chainId: string) => preparedAt('0x3')),
  send: vi.fn(async () => '0xid'),
  status: async () => ({ status: 200 }),
}

const preparedAt = (maxFeePerGas: string) => ({
  owner: ADDRESS,
  operation: { maxFeePerGas, maxPriorityFeePerGas: '0x1' },
  maxFee: 700n,
  delegate: undefined,
})

vi.mock('@hawser/vault', async (original) => ({
  ...(await original<object>()),
  createSmartAccounts: () => accounts,
}))

const vault = { revokeSmartSession: vi.fn(), revokeAllSmartSessions: vi.fn(), sign: vi.fn() }
const contractsOf = (chainId: string) => ({ chainId, ...vectors.contracts }) as unknown as SessionContracts
const row = {
  key: 'a',
  contracts: contractsOf('eip155:1'),
  network: { name: 'Ethereum', symbol: 'ETH', decimals: 18 },
  tokens: new Map(),
  session: { pci: 'p', state: 'SESSION_STATE_ACTIVE', context: CONTEXT },
  grant: undefined,
} as const
const options = {
  vault: vault as unknown as Vault,
  network: {
    projectId: 'p1',
    node: async (_: string, method: string) =>
      method === 'eth_getBlockByNumber' ? { baseFeePerGas: '0x1' } : '0x1',
    bundler: {} as never,
  },
  address: ADDRESS,
} as const

beforeEach(() => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Response.json({ networks: [] })),
  )
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

describe('the end of what a site may do', () => {
  it('has its fee before anything is sent', async () => {
    const { endSite } = await import('./sites.ts')
    const ending = await endSite(options, row)
    expect(ending.steps).toMatchObject([{ view: { maxFee: 700n, isHighFee: false, delegate: undefined } }])
    expect(vault.revokeSmartSession).not.toHaveBeenCalled()
    expect(accounts.send).not.toHaveBeenCalled()
    expect(await ending.finish()).toEqual([])
    expect(vault.revokeSmartSession).toHaveBeenCalledExactlyOnceWith(`eip155:1:${ADDRESS}`, 'p')
    expect(accounts.send).toHaveBeenCalledOnce()
  })

  it('is revoked at the service, and not signed for a fee that is refused', async () => {
    const { endSite } = await import('./sites.ts')
    accounts.prepare.mockResolvedValueOnce(preparedAt('0xb2d05e00'))
    const ending = await endSite(options, row)
    expect(ending.steps).toMatchObject([{ view: undefined }])
    await expect(ending.finish()).rejects.toMatchObject({ code: -32602 })
    expect(vault.revokeSmartSession).toHaveBeenCalledOnce()
    expect(accounts.send).not.toHaveBeenCalled()
  })

  it('on all networks leaves out those whose accounts run no code, and names those where it fails', async () => {
    const { endAllSites } = await import('./sites.ts')
    accounts.isDelegated.mockImplementation(async (chainId) => {
      if (chainId === 'eip155:2') throw new BundlerError(5710, 'Accounts of the network cannot delegate')
      if (chainId === 'eip155:3') throw new Error('unreachable')
      return chainId !== 'eip155:4'
    })
    accounts.prepare.mockImplementation(async (chainId) => {
      if (chainId === 'eip155:3') throw new Error('unreachable')
      return preparedAt('0x3')
    })
    const chains = [1, 2, 3, 4].map((id) => contractsOf(`eip155:${id}`))
    const ending = await endAllSites(options, { chains, rows: [], isComplete: true })
    expect(ending.steps.map(({ chainId, view }) => [chainId, view?.maxFee])).toEqual([
      ['eip155:1', 700n],
      ['eip155:3', undefined],
    ])
    expect(await ending.finish()).toEqual(['eip155:3'])
    expect(vault.revokeAllSmartSessions).toHaveBeenCalledTimes(4)
    expect(accounts.send).toHaveBeenCalledOnce()
  })
})

describe('what sites may do', () => {
  const session = {
    ...row.session,
    project: { id: 'p', name: 'Bank', url: 'https://bank.example' },
  }
  const grant = { context: CONTEXT, chainId: 'eip155:1', expiry: 2, site: 'https://shop.example' }
  const listed = vi.fn(async () => [contractsOf('eip155:1')])
  const reading = (grants: readonly object[]) =>
    ({
      ...options,
      vault: { listGrants: async () => grants, listSmartSessions: async () => [session] } as unknown as Vault,
      network: { ...options.network, bundler: { call: async () => ({ chains: await listed() }) } as never },
    }) as const

  it('is named by the site that this browser granted it to, before that of the service', async () => {
    const { loadSites, siteOf } = await import('./sites.ts')
    const another = { ...grant, chainId: 'eip155:2', site: 'https://other.example' }
    const { rows, isComplete } = await loadSites(reading([another, grant]))
    expect(rows.map(siteOf)).toEqual(['https://shop.example'])
    expect(isComplete).toBe(true)
    expect((await loadSites(reading([another]))).rows.map(siteOf)).toEqual(['https://bank.example'])
  })

  it('is not read from contracts that this build does not know', async () => {
    const { loadSites } = await import('./sites.ts')
    const foreign = { ...contractsOf('eip155:2'), delegationManager: ADDRESS } as const
    listed.mockResolvedValueOnce([contractsOf('eip155:1'), foreign])
    const { chains, isComplete } = await loadSites(reading([]))
    expect(chains.map(({ chainId }) => chainId)).toEqual(['eip155:1'])
    expect(isComplete).toBe(false)
  })
})
