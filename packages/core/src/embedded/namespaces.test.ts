import { describe, expect, it, vi } from 'vitest'
import { switchNamespace } from '../chain/activeNetwork.ts'
import { selectAccount } from '../chain/selectors.ts'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { defineNetwork } from '../network/network.ts'
import { createSolanaAdapter } from '../solana/solanaAdapter.ts'
import { createFakeEmbeddedWallet } from '../testing/fakeEmbeddedWallet.ts'
import { ALICE, createFakeWallet } from '../testing/fakeWallet.ts'
import { createKit, devnet } from '../testing/kit.ts'
import type { AccountEntry } from '../types/account.ts'
import type { Connector } from '../types/connector.ts'
import type { SolanaProvider } from '../types/providers.ts'
import { loginWithEmail } from './emailLogin.ts'

const OWNER = '4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS'
const OTHER_OWNER = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const solana = defineNetwork({
  id: 'dev',
  name: 'Solana Devnet',
  chainNamespace: 'solana',
  nativeCurrency: { name: 'SOL', symbol: 'SOL', decimals: 9 },
})

/** Creates a site that lists EVM and Solana networks, with an embedded wallet. */
function createSite() {
  const frame = createFakeEmbeddedWallet()
  frame.emailAction = 'CONNECT'
  const listeners = new Set<(accounts: readonly AccountEntry[]) => void>()
  const provider = (address: string): SolanaProvider => ({
    connect: async () => [{ address, type: 'eoa' }],
    onAccounts(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    signMessage: async () => new Uint8Array(64),
  })
  const entry = {
    ...frame.connector,
    chain: 'solana',
    getProvider: async () => provider(OWNER),
  } satisfies Connector<'solana'>
  const extension: Connector<'solana'> = {
    id: 'solana:Other',
    name: 'Other',
    type: 'ANNOUNCED',
    chain: 'solana',
    getProvider: async () => provider(OTHER_OWNER),
  }
  const kit = createKit(
    {
      networks: [devnet, solana],
      connectors: [
        (context) => {
          context.add(frame.connector)
          context.add(entry)
          return () => undefined
        },
      ],
    },
    frame,
  )
  kit.hawser.adapters.set('solana', createSolanaAdapter(kit.clock))
  kit.hawser.mount()
  const accounts = () => {
    const state = kit.hawser.chain.getState()
    return [selectAccount(state, 'eip155').address, selectAccount(state, 'solana').address]
  }
  return { ...kit, frame, accounts, extension }
}

describe('an embedded wallet on several namespaces', () => {
  it.each(['eip155', 'solana'] as const)(
    'is connected on each by one login, and %s stays active',
    async (active) => {
      const { hawser, accounts, eventNames } = createSite()
      switchNamespace(hawser, active)
      const visited = new Set<string>()
      hawser.chain.subscribe(({ activeChain }) => visited.add(activeChain))
      await loginWithEmail(hawser, 'ada@example.com')
      await vi.waitFor(() => expect(accounts()).toEqual([ALICE, OWNER]))
      expect([...visited]).toEqual([active])
      expect(eventNames().filter((name) => name === 'CONNECT_SUCCESS')).toHaveLength(1)
    },
  )

  it('stays connected on EVM when Solana fails', async () => {
    const { hawser, accounts } = createSite()
    hawser.adapters.set('solana', {
      ...createSolanaAdapter(hawser.clock),
      reconnect: async () => {
        throw new Error('not loaded')
      },
    })
    await loginWithEmail(hawser, 'ada@example.com')
    expect(accounts()).toEqual([ALICE, undefined])
  })

  it('shows each approval once', async () => {
    const { hawser, frame, accounts } = createSite()
    await loginWithEmail(hawser, 'ada@example.com')
    await vi.waitFor(() => expect(accounts()).toEqual([ALICE, OWNER]))
    await vi.waitFor(() =>
      expect(frame.namesOfCalls().filter((name) => name === 'syncTheme').length).toBeGreaterThan(1),
    )
    const views: string[] = []
    hawser.router.subscribe(({ view }) => views.push(view))
    frame.emitFrame('approval', { method: 'solana_signMessage' })
    expect(views).toEqual(['ApproveTransaction'])
  })

  it('shows approvals on Solana after another wallet was connected on EVM', async () => {
    const { hawser, frame, accounts } = createSite()
    await loginWithEmail(hawser, 'ada@example.com')
    await vi.waitFor(() => expect(accounts()).toEqual([ALICE, OWNER]))
    await vi.waitFor(() =>
      expect(frame.namesOfCalls().filter((name) => name === 'syncTheme').length).toBeGreaterThan(1),
    )
    const other = createFakeWallet({ id: 'other', name: 'Other' })
    await connect(hawser, { connector: other.connector })
    const views: string[] = []
    hawser.router.subscribe(({ view }) => views.push(view))
    frame.emitFrame('approval', { method: 'solana_signMessage' })
    expect(views).toEqual(['ApproveTransaction'])
  })

  it('leaves a namespace that has another wallet as it is', async () => {
    const { hawser, accounts, extension } = createSite()
    await connect(hawser, { connector: extension })
    switchNamespace(hawser, 'eip155')
    await loginWithEmail(hawser, 'ada@example.com')
    expect(accounts()).toEqual([ALICE, OTHER_OWNER])
    expect(hawser.sessions.get('solana')?.connectorId).toBe(extension.id)
  })

  it('is left on each by one disconnection', async () => {
    const { hawser, accounts } = createSite()
    await loginWithEmail(hawser, 'ada@example.com')
    await vi.waitFor(() => expect(accounts()).toEqual([ALICE, OWNER]))
    await disconnect(hawser, { namespace: 'solana' })
    expect(accounts()).toEqual([undefined, undefined])
  })
})
