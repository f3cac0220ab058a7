import { describe, expect, it, vi } from 'vitest'
import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { loadedAdapter } from '../chain/adapters.ts'
import { selectAccount } from '../chain/selectors.ts'
import { defineNetwork } from '../network/network.ts'
import { settle } from '../testing/fakeClock.ts'
import { ALICE, BOB, createFakeWallet, deferred, type FakeWallet } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit, devnet, offer } from '../testing/kit.ts'
import { createMemoryStorage } from '../testing/memoryStorage.ts'
import type { WalletSession } from '../types/adapter.ts'
import type { Connector, ConnectorContext } from '../types/connector.ts'
import type { KeyValueStorage } from '../types/environment.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'

/** Comes back to the page whose storage and wallet are given. */
function visit(storage: KeyValueStorage, wallet: FakeWallet) {
  const kit = createKit({ storage }, wallet)
  kit.hawser.mount()
  return kit
}

const statusOf = ({ hawser }: ReturnType<typeof createKit>) => selectAccount(hawser.chain.getState()).status

describe('coming back to the page', () => {
  it('picks the wallet up without a prompt', async () => {
    const { storage, wallet } = await createConnectedKit()
    wallet.calls.length = 0
    const kit = visit(storage, wallet)
    expect(statusOf(kit)).toBe('reconnecting')
    await vi.waitFor(() => expect(statusOf(kit)).toBe('connected'))
    expect(selectAccount(kit.hawser.chain.getState()).address).toBe(ALICE)
    expect(wallet.calls.map(({ method }) => method)).not.toContain('eth_requestAccounts')
  })

  it('sends no request to a wallet that was not connected', () => {
    const kit = visit(createKit().storage, createFakeWallet())
    expect(statusOf(kit)).toBe('disconnected')
    expect(kit.wallet.calls).toEqual([])
  })

  it('sends no request to a wallet that was disconnected', async () => {
    const { hawser, storage, wallet } = await createConnectedKit()
    await disconnect(hawser)
    wallet.calls.length = 0
    const kit = visit(storage, wallet)
    expect(statusOf(kit)).toBe('disconnected')
    expect(wallet.calls).toEqual([])
  })

  it('is disconnected when the wallet grants nothing any more', async () => {
    const { storage, wallet } = await createConnectedKit()
    wallet.accounts = []
    const kit = visit(storage, wallet)
    await vi.waitFor(() => expect(statusOf(kit)).toBe('disconnected'))
    expect(kit.hawser.connection.getState().status).toBe('disconnected')
    expect(storage.values.has('@hawser/v1/eip155:connected_connector_id')).toBe(false)
  })

  it('does not wait for a wallet that answers nothing', async () => {
    const { storage, wallet } = await createConnectedKit()
    wallet.answers.eth_accounts = () => new Promise(() => undefined)
    const kit = visit(storage, wallet)
    await vi.waitFor(() => expect(wallet.calls.at(-1)?.method).toBe('eth_accounts'))
    await kit.clock.advance(5_000)
    expect(statusOf(kit)).toBe('disconnected')
  })

  it('ends with the wallet the visitor chose in the meantime, whatever the one before answers later', async () => {
    const { storage, wallet } = await createConnectedKit()
    const late = deferred<string[]>()
    wallet.answers.eth_accounts = () => late.promise
    const kit = visit(storage, wallet)
    await vi.waitFor(() => expect(wallet.calls.at(-1)?.method).toBe('eth_accounts'))
    const chosen = createFakeWallet({ id: 'chosen', name: 'Chosen' })
    chosen.accounts = [BOB]
    await connect(kit.hawser, { connector: chosen.connector })
    late.resolve([ALICE])
    await settle()
    expect(selectAccount(kit.hawser.chain.getState()).address).toBe(BOB)
    expect(kit.hawser.connectors.getState().activeConnectorIds.eip155).toBe('chosen')
  })

  it('waits for a wallet that announces itself late', async () => {
    const { storage, wallet } = await createConnectedKit()
    let context: ConnectorContext | undefined
    const kit = createKit({
      storage,
      connectors: [
        (given) => {
          context = given
          return () => undefined
        },
      ],
    })
    kit.hawser.mount()
    await kit.clock.advance(2_000)
    expect(statusOf(kit)).toBe('reconnecting')
    context?.add(wallet.connector)
    await vi.waitFor(() => expect(statusOf(kit)).toBe('connected'))
  })

  it('connects neither of two wallets with the stored id', async () => {
    const { storage, wallet } = await createConnectedKit()
    const rdns = 'org.example.wallet'
    const announced = (uuid: string) => createFakeWallet({ info: { rdns, uuid } })
    const [first, second] = [announced('1'), announced('2')]
    const kit = createKit({ storage, connectors: [offer(first), offer(second)] })
    kit.hawser.mount()
    await vi.waitFor(async () => {
      await kit.clock.advance(3_000)
      expect(statusOf(kit)).toBe('disconnected')
    })
    expect([...first.calls, ...second.calls]).toEqual([])
    const [shown, duplicate] = kit.hawser.connectors.getState().connectors
    expect(shown).toBe(first.connector)
    expect(duplicate).toMatchObject({ id: `${rdns}#2`, isDuplicate: true })
    await connect(kit.hawser, { connector: duplicate as Connector })
    const next = visit(storage, wallet)
    await next.clock.advance(3_000)
    expect(statusOf(next)).not.toBe('connected')
  })

  it('gives up after 3 s on a missing wallet, and keeps its id for the next visit', async () => {
    const { storage, wallet } = await createConnectedKit()
    const other = createFakeWallet({ id: 'other', name: 'Other', info: { rdns: 'other' } })
    const kit = visit(storage, other)
    await vi.waitFor(async () => {
      await kit.clock.advance(3_000)
      expect(kit.hawser.connection.getState().status).toBe('disconnected')
    })
    const next = visit(storage, wallet)
    await vi.waitFor(() => expect(statusOf(next)).toBe('connected'))
  })

  it('starts on the stored network, before any wallet is found', async () => {
    const { hawser, storage } = createKit()
    hawser.storage.write('active_caip_network_id', 'eip155:31338')
    const kit = visit(storage, createFakeWallet())
    expect(kit.hawser.chain.getState().activeCaipNetwork?.name).toBe('Devnet Two')
  })

  it('ignores a stored network that the site does not list any more', () => {
    const { hawser, storage } = createKit()
    hawser.storage.write('active_caip_network_id', 'eip155:5')
    const kit = visit(storage, createFakeWallet())
    expect(kit.hawser.chain.getState().activeCaipNetwork?.name).toBe('Devnet')
  })
})

describe('coming back to two namespaces', () => {
  const solana = defineNetwork({
    id: 'dev',
    name: 'Solana',
    chainNamespace: 'solana',
    nativeCurrency: { name: 'SOL', symbol: 'SOL', decimals: 9 },
  })

  /**
   * Creates a page with an adapter for both namespaces, and a wallet that is found on both. Both adapters
   * answer for that wallet.
   */
  function page(storage: KeyValueStorage, wallet: FakeWallet) {
    const onSolana: Connector = { ...wallet.connector, chain: 'solana' }
    const kit = createKit(
      {
        storage,
        networks: [devnet, solana],
        connectors: [offer(wallet), offer({ ...wallet, connector: onSolana })],
      },
      wallet,
    )
    const evm = loadedAdapter(kit.hawser, 'eip155')
    const moved = async (session: Promise<WalletSession | undefined>) => {
      const answer = await session
      return answer && { ...answer, caipNetworkId: 'solana:dev' as const }
    }
    kit.hawser.adapters.set('solana', {
      ...evm,
      namespace: 'solana',
      connect: async (...args) => (await moved(evm.connect(...args))) as WalletSession,
      reconnect: (...args) => moved(evm.reconnect(...args)),
    })
    return { kit, onSolana }
  }

  it('reconnects both, and stays on the stored namespace', async () => {
    const storage = createMemoryStorage()
    const { kit, onSolana } = page(storage, createFakeWallet())
    kit.hawser.mount()
    await connect(kit.hawser, { connector: onSolana })
    await connect(kit.hawser, { connector: kit.wallet.connector })
    setActiveNetwork(kit.hawser, solana)
    const { kit: next } = page(storage, kit.wallet)
    next.hawser.mount()
    expect(next.hawser.chain.getState().activeChain).toBe('solana')
    await vi.waitFor(() => expect(next.hawser.sessions.size).toBe(2))
    expect(next.hawser.chain.getState().activeChain).toBe('solana')
    expect(JSON.parse(storage.values.get('@hawser/v1/connected_namespaces') ?? '').sort()).toEqual([
      'eip155',
      'solana',
    ])
  })

  it.each([
    ['connection_status', 'disconnected'],
    ['connected_namespaces', ['solana']],
  ])('sends no request to a wallet when %s is %j', async (item, value) => {
    const { storage, wallet, hawser } = await createConnectedKit()
    hawser.storage.write(item, value)
    wallet.calls.length = 0
    const kit = visit(storage, wallet)
    await settle()
    expect(statusOf(kit)).toBe('disconnected')
    expect(wallet.calls).toEqual([])
  })
})

describe('what was read for an earlier visitor', () => {
  it('is cleared when no account is connected any more', async () => {
    const { hawser, storage, wallet } = await createConnectedKit()
    hawser.storage.writeCached('balance_cache', ALICE, [])
    await disconnect(hawser)
    visit(storage, wallet)
    expect(storage.values.has('@hawser/v1/balance_cache')).toBe(false)
  })

  it('is kept for a visitor who is still connected', async () => {
    const { hawser, storage, wallet } = await createConnectedKit()
    hawser.storage.writeCached('balance_cache', ALICE, [])
    visit(storage, wallet)
    expect(storage.values.has('@hawser/v1/balance_cache')).toBe(true)
  })
})

describe('mounting twice', () => {
  it('starts discovery once and stops it with the last unmount', () => {
    const stop = vi.fn()
    const start = vi.fn(() => stop)
    const { hawser } = createKit({ connectors: [start] })
    const unmounts = [hawser.mount(), hawser.mount()]
    expect(start).toHaveBeenCalledOnce()
    unmounts[0]?.()
    unmounts[0]?.()
    expect(stop).not.toHaveBeenCalled()
    unmounts[1]?.()
    expect(stop).toHaveBeenCalledOnce()
  })

  it('may be stopped and started again, as React does in strict mode', async () => {
    const { storage, wallet } = await createConnectedKit()
    const kit = createKit({ storage, connectors: [offer(wallet)] })
    kit.hawser.mount()()
    kit.hawser.mount()
    await vi.waitFor(() => expect(statusOf(kit)).toBe('connected'))
  })
})
