import {
  closeModal,
  connect as connectHawser,
  disconnect as disconnectHawser,
  switchNetwork,
} from '@hawser/core'
import { ALICE, BOB, createKit, devnet, devnetTwo, type Kit, walletError } from '@hawser/core/testing'
import {
  connect,
  cookieStorage,
  cookieToInitialState,
  createStorage,
  disconnect,
  getConnection,
  hydrate,
  reconnect,
  signMessage,
  switchChain,
} from '@wagmi/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWagmiConfig } from './createWagmiConfig.ts'

beforeEach(() => void vi.stubGlobal('window', globalThis))
afterEach(() => void vi.unstubAllGlobals())

function open(kit: Kit = createKit()) {
  const config = createWagmiConfig(kit.hawser, { storage: null })
  const [connector] = config.connectors
  if (!connector) throw new Error('no connector')
  return { ...kit, config, connector }
}

/** Connects the wallet in the modal, as its visitor would. */
async function connectInModal({ hawser, wallet }: Kit) {
  await connectHawser(hawser, { connector: wallet.connector })
  closeModal(hawser)
}

async function openConnected() {
  const page = open()
  const connecting = connect(page.config, { connector: page.connector })
  await vi.waitFor(() => expect(page.hawser.modal.getState().open).toBe(true))
  await connectInModal(page)
  await connecting
  return page
}

describe('a config', () => {
  it('has the EVM networks of the site, which are read through the gateway', () => {
    const { config, hawser } = open()
    expect(config.chains.map(({ id, name }) => [id, name])).toEqual([
      [31337, 'Devnet'],
      [31338, 'Devnet Two'],
    ])
    expect(config.chains[0]?.rpcUrls.default.http).toEqual([hawser.client.rpcUrl('eip155:31337')])
    expect(config.connectors.map(({ id }) => id)).toEqual(['hawser'])
  })
})

describe('connecting', () => {
  it('opens the modal, and resolves with the account that is connected there', async () => {
    const page = open()
    const connecting = connect(page.config, { connector: page.connector })
    await vi.waitFor(() => expect(page.hawser.modal.getState().open).toBe(true))
    await connectInModal(page)
    expect(await connecting).toEqual({ accounts: [ALICE], chainId: 31337 })
    expect(getConnection(page.config)).toMatchObject({ address: ALICE, chainId: 31337, status: 'connected' })
  })

  it('fails as a declined request when the visitor closes the modal', async () => {
    const page = open()
    const connecting = connect(page.config, { connector: page.connector })
    await vi.waitFor(() => expect(page.hawser.modal.getState().open).toBe(true))
    closeModal(page.hawser)
    await expect(connecting).rejects.toMatchObject({ name: 'UserRejectedRequestError', code: 4001 })
    expect(getConnection(page.config).status).toBe('disconnected')
  })

  it('switches the wallet to the chain that is requested', async () => {
    const page = open()
    const connecting = connect(page.config, { connector: page.connector, chainId: 31338 })
    await vi.waitFor(() => expect(page.hawser.modal.getState().open).toBe(true))
    await connectInModal(page)
    expect(await connecting).toMatchObject({ chainId: 31338 })
    expect(page.wallet.chainId).toBe(31338)
  })

  it('shows a wallet that was connected in the modal alone', async () => {
    const page = open()
    await connectInModal(page)
    expect(getConnection(page.config)).toMatchObject({ address: ALICE, status: 'connected' })
  })

  it('connects the wallet of the last visit without the modal', async () => {
    const first = await openConnected()
    const page = open(createKit({ storage: first.storage }, first.wallet))
    await reconnect(page.config)
    expect(getConnection(page.config)).toMatchObject({ address: ALICE, status: 'connected' })
    expect(page.hawser.modal.getState().open).toBe(false)
  })

  it('ends what is disconnected before the wallet of the last visit has answered', async () => {
    const first = await openConnected()
    const page = open(createKit({ storage: first.storage }, first.wallet))
    await Promise.all([page.connector.disconnect(), reconnect(page.config)])
    await vi.waitFor(() => expect(getConnection(page.config).status).toBe('disconnected'))
    expect(page.hawser.sessions.size).toBe(0)
  })

  it('keeps what is disconnected so when the wallet of the last visit announces itself later', async () => {
    const first = await openConnected()
    const page = open(createKit({ storage: first.storage, connectors: [] }))
    const leaving = page.connector.disconnect()
    await vi.waitFor(async () => {
      await page.clock.advance(3_000)
      expect(page.hawser.connection.getState().status).toBe('disconnected')
    })
    await leaving
    const next = open(createKit({ storage: first.storage }, first.wallet))
    await reconnect(next.config)
    expect(getConnection(next.config).status).toBe('disconnected')
  })

  it('stays disconnected where no wallet was connected', async () => {
    const page = open()
    await reconnect(page.config)
    expect(getConnection(page.config).status).toBe('disconnected')
    expect(page.hawser.modal.getState().open).toBe(false)
  })
})

describe('a connected wallet', () => {
  it('signs', async () => {
    const page = await openConnected()
    page.wallet.answers.personal_sign = () => '0xsigned'
    expect(await signMessage(page.config, { message: 'Hello' })).toBe('0xsigned')
  })

  it('is switched by wagmi', async () => {
    const page = await openConnected()
    expect(await switchChain(page.config, { chainId: 31338 })).toMatchObject({ id: 31338 })
    expect(page.wallet.chainId).toBe(31338)
    expect(getConnection(page.config).chainId).toBe(31338)
  })

  it('may decline to be switched', async () => {
    const page = await openConnected()
    page.wallet.answers.wallet_switchEthereumChain = () => {
      throw walletError(4001, 'User rejected the request.')
    }
    await expect(switchChain(page.config, { chainId: 31338 })).rejects.toMatchObject({
      name: 'UserRejectedRequestError',
    })
    expect(getConnection(page.config).chainId).toBe(31337)
  })

  it('is not switched to a chain that the site does not list', async () => {
    const page = await openConnected()
    await expect(switchChain(page.config, { chainId: 1 })).rejects.toMatchObject({ name: 'SwitchChainError' })
  })

  it('shows the network that was chosen in the modal, and the account that was chosen in the wallet', async () => {
    const page = await openConnected()
    await switchNetwork(page.hawser, { network: devnetTwo })
    expect(getConnection(page.config).chainId).toBe(31338)
    page.wallet.accounts = [BOB]
    page.wallet.emit('accountsChanged', [BOB])
    await vi.waitFor(() => expect(getConnection(page.config).address).toBe(BOB))
  })

  it('is disconnected by wagmi', async () => {
    const page = await openConnected()
    await disconnect(page.config)
    expect(page.hawser.sessions.size).toBe(0)
    expect(getConnection(page.config).status).toBe('disconnected')
  })

  it('is disconnected in the modal, and connected again', async () => {
    const page = await openConnected()
    await disconnectHawser(page.hawser)
    expect(getConnection(page.config).status).toBe('disconnected')
    await connectInModal(page)
    expect(getConnection(page.config)).toMatchObject({ address: ALICE, status: 'connected' })
  })
})

it('is not created for a site without EVM networks', () => {
  const solana = {
    ...devnet,
    chainNamespace: 'solana',
    caipNetworkId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  } as const
  expect(() => open(createKit({ networks: [solana] }))).toThrow('wagmi needs an EVM network')
})

it('is rendered on a server as connected, from the cookie that wagmi keeps', async () => {
  const cookies = new Map<string, string>()
  vi.stubGlobal('document', {
    set cookie(text: string) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      cookies.set(name, value)
    },
    get cookie() {
      return [...cookies].map((pair) => pair.join('=')).join('; ')
    },
  })
  const storage = createStorage({ storage: cookieStorage })
  const page = createKit()
  const config = createWagmiConfig(page.hawser, { ssr: true, storage })
  await connectInModal(page)
  await vi.waitFor(() => expect(getConnection(config).address).toBe(ALICE))

  const header = document.cookie
  vi.unstubAllGlobals()
  const onServer = createWagmiConfig(createKit().hawser, { ssr: true, storage })
  const initialState = cookieToInitialState(onServer, header)
  if (!initialState) throw new Error('the cookie has no state')
  hydrate(onServer, { initialState, reconnectOnMount: true })
  expect(getConnection(onServer)).toMatchObject({ address: ALICE, chainId: 31337, status: 'reconnecting' })
})
