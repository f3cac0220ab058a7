import { describe, expect, it, vi } from 'vitest'
import { loadedAdapter } from '../chain/adapters.ts'
import { emptyAccount } from '../chain/chainState.ts'
import { selectAccount } from '../chain/selectors.ts'
import { openModal } from '../modal/modal.ts'
import { defineNetwork } from '../network/network.ts'
import { settle } from '../testing/fakeClock.ts'
import { createFakeSignIn, type FakeSignIn } from '../testing/fakeSignIn.ts'
import { ALICE, createFakeWallet, deferred } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit, devnet, type Kit, offer } from '../testing/kit.ts'
import type { Connector, ConnectorType } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'

const solana = defineNetwork({
  id: 'dev',
  name: 'Solana',
  chainNamespace: 'solana',
  nativeCurrency: { name: 'SOL', symbol: 'SOL', decimals: 9 },
})

/** Returns a kit whose wallet of the given kind is connected on two namespaces. */
async function connectedOnBoth(type: ConnectorType): Promise<Kit & { site: FakeSignIn }> {
  const wallet = createFakeWallet({ type })
  const onSolana: Connector = { ...wallet.connector, chain: 'solana' }
  const site = createFakeSignIn()
  const kit = createKit({ networks: [devnet, solana], siwx: site }, wallet)
  const evm = loadedAdapter(kit.hawser, 'eip155')
  kit.hawser.adapters.set('solana', {
    ...evm,
    namespace: 'solana',
    connect: async (...args) => ({ ...(await evm.connect(...args)), caipNetworkId: 'solana:dev' }),
  })
  kit.hawser.connectors.setState({ allConnectors: [wallet.connector, onSolana] })
  await connect(kit.hawser, { connector: wallet.connector })
  await connect(kit.hawser, { connector: onSolana })
  return { ...kit, site }
}

const connectedNamespaces = (hawser: Hawser) => [...hawser.sessions.keys()]

describe('disconnecting', () => {
  it('clears the account, the connector and what was stored', async () => {
    const { hawser, storage, events } = await createConnectedKit()
    await disconnect(hawser)
    expect(selectAccount(hawser.chain.getState())).toEqual(emptyAccount)
    expect(hawser.chain.getState().activeCaipAddress).toBeUndefined()
    expect(hawser.connectors.getState().activeConnectorIds.eip155).toBeUndefined()
    expect(storage.values.get('@hawser/v1/connection_status')).toBe('"disconnected"')
    expect(storage.values.get('@hawser/v1/eip155:connected_connector_id')).toBe('null')
    expect(events.at(-1)).toEqual({ event: 'DISCONNECT_SUCCESS', properties: { namespace: 'all' } })
  })

  it('clears the pairing, the link and the recent wallet', async () => {
    const { hawser } = await createConnectedKit()
    hawser.connection.setState({ wcUri: 'wc:1', wcPairingExpiry: 1, wcLinking: { href: 'x', name: 'y' } })
    await disconnect(hawser)
    expect(hawser.connection.getState()).toEqual({
      status: 'disconnected',
      wcUri: undefined,
      wcPairingExpiry: undefined,
      wcLinking: undefined,
      wcError: false,
      buffering: false,
      recentWallet: undefined,
    })
  })

  it('gives the permission back and stops listening', async () => {
    const { hawser, wallet } = await createConnectedKit()
    await disconnect(hawser)
    expect(wallet.calls.at(-1)?.method).toBe('wallet_revokePermissions')
    expect(wallet.listenerCount()).toBe(0)
  })

  it('works with wallets that cannot give permissions back', async () => {
    const { hawser, wallet } = await createConnectedKit()
    delete wallet.answers.wallet_revokePermissions
    await disconnect(hawser)
    expect(hawser.connection.getState().status).toBe('disconnected')
  })

  it('closes the modal', async () => {
    const { hawser } = await createConnectedKit()
    openModal(hawser)
    await disconnect(hawser)
    expect(hawser.modal.getState()).toMatchObject({ open: false, loading: false })
  })

  it('does nothing the second time', async () => {
    const { hawser, eventNames } = await createConnectedKit()
    await Promise.all([disconnect(hawser), disconnect(hawser)])
    await disconnect(hawser)
    expect(eventNames().filter((name) => name.startsWith('DISCONNECT'))).toEqual(['DISCONNECT_SUCCESS'])
  })

  it('is reported once for wallets that emit it themselves', async () => {
    const { hawser, wallet, eventNames } = await createConnectedKit()
    wallet.answers.wallet_revokePermissions = () => {
      wallet.emit('accountsChanged', [])
      return null
    }
    await disconnect(hawser)
    expect(eventNames().filter((name) => name.startsWith('DISCONNECT'))).toEqual(['DISCONNECT_SUCCESS'])
    expect(hawser.connection.getState().status).toBe('disconnected')
  })

  it('leaves a network that the site does not list', async () => {
    const { hawser, wallet } = await createConnectedKit()
    wallet.emit('chainChanged', '0x3e7')
    await disconnect(hawser)
    expect(hawser.chain.getState().activeCaipNetwork?.name).toBe('Devnet')
  })
})

describe('a wallet that fails to disconnect', () => {
  it('stays connected, and a toast says so', async () => {
    const wallet = createFakeWallet({
      disconnect: async () => {
        throw new Error('relay down')
      },
    })
    const { hawser, events } = await createConnectedKit({}, wallet)
    await disconnect(hawser)
    expect(hawser.connection.getState().status).toBe('connected')
    expect(hawser.toast.getState()).toMatchObject({ message: 'Failed to disconnect', variant: 'error' })
    expect(events.at(-1)).toEqual({ event: 'DISCONNECT_ERROR', properties: { message: 'relay down' } })
    expect(hawser.modal.getState().loading).toBe(false)
  })
})

describe('a wallet of the last visit that is not connected again', () => {
  /** Comes back to a page where no wallet announces itself, and waits until the page gives up on it. */
  async function returnWithout(kit: Kit) {
    const site = createFakeSignIn()
    const page = createKit({ storage: kit.storage, siwx: site, connectors: [] })
    page.hawser.mount()
    await vi.waitFor(async () => {
      await page.clock.advance(3_000)
      expect(selectAccount(page.hawser.chain.getState()).status).toBe('disconnected')
    })
    return { page, site }
  }

  /** Comes back to a page where the wallet announces itself at once. */
  function returnWith({ storage, wallet }: Kit) {
    const page = createKit({ storage }, wallet)
    page.hawser.mount()
    return page
  }

  it.each([{}, { namespace: 'eip155' }] as const)(
    'is not connected at the next visit: %j',
    async (options) => {
      const kit = await createConnectedKit()
      const { page, site } = await returnWithout(kit)
      site.sessions = [
        { data: { accountAddress: ALICE, chainId: 'eip155:31337' }, message: '', signature: '' },
      ]
      await disconnect(page.hawser, options)
      expect(page.eventNames().at(-1)).toBe('DISCONNECT_SUCCESS')
      expect(site.sessions).toEqual([])
      const next = returnWith(kit)
      await settle()
      expect(selectAccount(next.hawser.chain.getState()).status).toBe('disconnected')
    },
  )

  it('is kept where another namespace is disconnected', async () => {
    const kit = await createConnectedKit()
    const { page } = await returnWithout(kit)
    await disconnect(page.hawser, { namespace: 'solana' })
    const next = returnWith(kit)
    await vi.waitFor(() => expect(next.hawser.sessions.size).toBe(1))
  })

  it('is not connected by what it answers later, and gives its permission back', async () => {
    const kit = await createConnectedKit()
    const late = deferred<string[]>()
    kit.wallet.answers.eth_accounts = () => late.promise
    const page = returnWith(kit)
    await vi.waitFor(() => expect(kit.wallet.calls.at(-1)?.method).toBe('eth_accounts'))
    await disconnect(page.hawser)
    expect(kit.wallet.calls.at(-1)?.method).toBe('wallet_revokePermissions')
    late.resolve([ALICE])
    await settle()
    expect(page.hawser.sessions.size).toBe(0)
    expect(selectAccount(page.hawser.chain.getState()).status).toBe('disconnected')
  })

  it('is forgotten also when it fails to disconnect', async () => {
    const wallet = createFakeWallet({
      disconnect: async () => {
        throw new Error('relay down')
      },
    })
    const kit = await createConnectedKit({}, wallet)
    wallet.answers.eth_accounts = () => new Promise(() => undefined)
    const page = returnWith(kit)
    await disconnect(page.hawser)
    expect(page.eventNames().at(-1)).toBe('DISCONNECT_SUCCESS')
    expect(kit.storage.values.get('@hawser/v1/eip155:connected_connector_id')).toBe('null')
  })

  it('sends nothing to a wallet that another one pretends to be', async () => {
    const kit = await createConnectedKit()
    const rdns = 'org.example.wallet'
    const twins = ['1', '2'].map((uuid) => createFakeWallet({ info: { rdns, uuid } }))
    const page = createKit({ storage: kit.storage, connectors: twins.map(offer) })
    page.hawser.mount()
    await disconnect(page.hawser)
    expect(twins.flatMap(({ calls }) => calls)).toEqual([])
  })
})

describe('one of several namespaces', () => {
  it('takes the sign-in of its account alone with it', async () => {
    const kit = await connectedOnBoth('ANNOUNCED')
    const { hawser, site } = kit
    const { address = '' } = selectAccount(hawser.chain.getState(), 'eip155')
    const sessionOn = (chainId: string) => ({
      data: { accountAddress: address, chainId },
      message: '',
      signature: '',
    })
    site.sessions = [sessionOn('eip155:31337'), sessionOn('solana:dev')]
    await disconnect(hawser, { namespace: 'solana' })
    expect(site.sessions).toEqual([sessionOn('eip155:31337')])
    await disconnect(hawser, { namespace: 'eip155' })
    expect(site.sessions).toEqual([])
  })
})

describe('siblings on other namespaces', () => {
  it.each(['WALLET_CONNECT', 'AUTH'] as const)(
    'leave together when they share one %s session',
    async (type) => {
      const { hawser } = await connectedOnBoth(type)
      expect(connectedNamespaces(hawser)).toEqual(['eip155', 'solana'])
      await disconnect(hawser, { namespace: 'eip155' })
      expect(connectedNamespaces(hawser)).toEqual([])
    },
  )

  it('stay when each is a wallet of its own', async () => {
    const { hawser } = await connectedOnBoth('ANNOUNCED')
    await disconnect(hawser, { namespace: 'eip155' })
    expect(connectedNamespaces(hawser)).toEqual(['solana'])
    expect(hawser.connection.getState().status).toBe('connected')
  })

  it('all leave when no namespace is named', async () => {
    const { hawser } = await connectedOnBoth('ANNOUNCED')
    await disconnect(hawser)
    expect(connectedNamespaces(hawser)).toEqual([])
  })
})
