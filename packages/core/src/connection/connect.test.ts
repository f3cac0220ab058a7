import { describe, expect, it } from 'vitest'
import { switchNamespace } from '../chain/activeNetwork.ts'
import { selectAccount } from '../chain/selectors.ts'
import { ConnectError } from '../errors/walletErrors.ts'
import { openModal } from '../modal/modal.ts'
import { defineNetwork } from '../network/network.ts'
import { settle } from '../testing/fakeClock.ts'
import { ALICE, BOB, createFakeWallet, deferred, walletError } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit, devnet, devnetTwo } from '../testing/kit.ts'
import type { Connector } from '../types/connector.ts'
import { connect, selectConnector } from './connect.ts'

describe('choosing a wallet', () => {
  it('shows the view that connects it', () => {
    const { hawser, wallet, events } = createKit()
    openModal(hawser)
    selectConnector(hawser, wallet.connector)
    expect(hawser.router.getState()).toMatchObject({
      view: 'ConnectingExternal',
      data: { connector: wallet.connector },
    })
    expect(events.at(-1)).toEqual({
      event: 'SELECT_WALLET',
      properties: { name: 'Example Wallet', platform: 'browser' },
    })
  })
})

describe('choosing a wallet of several namespaces', () => {
  it('connects it on a namespace that has an adapter', () => {
    const { hawser, wallet } = createKit()
    const onSolana = { ...wallet.connector, chain: 'solana' as const }
    openModal(hawser)
    selectConnector(hawser, {
      ...onSolana,
      type: 'MULTI_CHAIN',
      connectors: [onSolana, wallet.connector],
    })
    expect(hawser.router.getState()).toMatchObject({
      view: 'ConnectingExternal',
      data: { connector: wallet.connector },
    })
  })
})

describe('connecting', () => {
  it('goes from disconnected through connecting to connected', async () => {
    const { hawser, wallet } = createKit()
    const statuses: string[] = [hawser.connection.getState().status]
    hawser.connection.subscribe(({ status }) => statuses.push(status))
    await connect(hawser, { connector: wallet.connector })
    expect([...new Set(statuses)]).toEqual(['disconnected', 'connecting', 'connected'])
  })

  it('answers and shows the account, its wallet and its network', async () => {
    const { hawser, wallet, events } = createKit()
    wallet.accounts = [ALICE, BOB]
    const connected = await connect(hawser, { connector: wallet.connector })
    expect(connected).toMatchObject({ address: ALICE, caipAddress: `eip155:31337:${ALICE}` })
    expect(selectAccount(hawser.chain.getState())).toMatchObject({
      status: 'connected',
      address: ALICE,
      caipAddress: `eip155:31337:${ALICE}`,
      addressExplorerUrl: `https://explorer.test/address/${ALICE}`,
      allAccounts: [
        { address: ALICE, type: 'eoa' },
        { address: BOB, type: 'eoa' },
      ],
      connectedWalletInfo: { name: 'Example Wallet', type: 'ANNOUNCED', rdns: 'org.example.wallet' },
    })
    expect(hawser.connectors.getState().activeConnectorIds.eip155).toBe('org.example.wallet')
    expect(events.at(-1)).toEqual({
      event: 'CONNECT_SUCCESS',
      properties: { method: 'browser', name: 'Example Wallet' },
    })
  })

  it('takes the network the wallet is on', async () => {
    const { hawser, wallet } = createKit()
    wallet.chainId = 31338
    await connect(hawser, { connector: wallet.connector })
    expect(hawser.chain.getState().activeCaipNetwork?.name).toBe('Devnet Two')
  })

  it('closes the modal', async () => {
    const { hawser, wallet } = createKit()
    openModal(hawser)
    selectConnector(hawser, wallet.connector)
    await connect(hawser, { connector: wallet.connector })
    expect(hawser.modal.getState().open).toBe(false)
  })

  it('shows UnsupportedChain when the site does not list the wallet’s network', async () => {
    const { hawser, wallet } = createKit()
    wallet.chainId = 999
    openModal(hawser)
    selectConnector(hawser, wallet.connector)
    await connect(hawser, { connector: wallet.connector })
    expect(hawser.chain.getState().activeCaipNetwork?.name).toBe('Unknown Network')
    expect(hawser.modal.getState().open).toBe(true)
    expect(hawser.router.getState().view).toBe('UnsupportedChain')
  })

  it('is stored for the next visit', async () => {
    const { storage } = await createConnectedKit()
    expect(Object.fromEntries(storage.values)).toMatchObject({
      '@hawser/v1/eip155:connected_connector_id': '"org.example.wallet"',
      '@hawser/v1/connected_namespaces': '["eip155"]',
      '@hawser/v1/connection_status': '"connected"',
      '@hawser/v1/active_namespace': '"eip155"',
      '@hawser/v1/active_caip_network_id': '"eip155:31337"',
      '@hawser/v1/recent_wallets': JSON.stringify([
        { id: 'org.example.wallet', name: 'Example Wallet', rdns: 'org.example.wallet' },
      ]),
    })
  })
})

describe('a visitor who declines', () => {
  it('is distinguished from a wallet that fails', async () => {
    const { hawser, wallet } = createKit()
    wallet.answers.eth_requestAccounts = () => {
      throw walletError(4001, 'User rejected the request.')
    }
    await expect(connect(hawser, { connector: wallet.connector })).rejects.toMatchObject({
      kind: 'rejected',
      message: 'You declined.',
    })
    wallet.answers.eth_requestAccounts = () => {
      throw walletError(-32002, 'wallet_requestPermissions already pending for origin')
    }
    await expect(connect(hawser, { connector: wallet.connector })).rejects.toMatchObject({
      kind: 'failed',
      message: 'Your wallet is already asking. Open it to continue.',
    })
    wallet.answers.eth_requestAccounts = () => {
      throw new Error('Cannot read properties of undefined')
    }
    await expect(connect(hawser, { connector: wallet.connector })).rejects.toMatchObject({
      kind: 'failed',
      message: 'Your wallet didn’t connect. Open it, then try again.',
    })
  })

  it('is disconnected, and an event has the reason', async () => {
    const { hawser, wallet, events } = createKit()
    wallet.answers.eth_requestAccounts = () => {
      throw walletError(4001, 'User rejected the request.')
    }
    await connect(hawser, { connector: wallet.connector }).catch(() => undefined)
    expect(hawser.connection.getState().status).toBe('disconnected')
    expect(selectAccount(hawser.chain.getState()).status).toBe('disconnected')
    expect(events.at(-1)).toEqual({
      event: 'CONNECT_ERROR',
      properties: { message: 'User rejected the request.' },
    })
  })

  it('may try again', async () => {
    const { hawser, wallet } = createKit()
    const agree = wallet.answers.eth_requestAccounts as () => unknown
    wallet.answers.eth_requestAccounts = () => {
      throw walletError(4001, 'User rejected the request.')
    }
    await connect(hawser, { connector: wallet.connector }).catch(() => undefined)
    wallet.answers.eth_requestAccounts = agree
    await connect(hawser, { connector: wallet.connector })
    expect(hawser.connection.getState().status).toBe('connected')
  })
})

describe('a wallet that names no account', () => {
  it('is not connected', async () => {
    const { hawser, wallet } = createKit()
    wallet.accounts = []
    await expect(connect(hawser, { connector: wallet.connector })).rejects.toMatchObject({
      kind: 'noAccounts',
    })
    expect(hawser.connection.getState().status).toBe('disconnected')
  })
})

describe('two attempts at once', () => {
  it('share one prompt of the same wallet', async () => {
    const { hawser, wallet } = createKit()
    const prompt = deferred<string[]>()
    wallet.answers.eth_requestAccounts = () => prompt.promise
    const attempts = [1, 2].map(() => connect(hawser, { connector: wallet.connector }))
    prompt.resolve([ALICE])
    await Promise.all(attempts)
    expect(wallet.calls.filter(({ method }) => method === 'eth_requestAccounts')).toHaveLength(1)
  })

  it('end with the wallet chosen last, whatever the first one answers later', async () => {
    const { hawser, wallet } = createKit()
    const slow = createFakeWallet({ id: 'slow', name: 'Slow Wallet' })
    const prompt = deferred<string[]>()
    slow.answers.eth_requestAccounts = () => prompt.promise
    const first = connect(hawser, { connector: slow.connector })
    await connect(hawser, { connector: wallet.connector })
    prompt.resolve([BOB])
    await expect(first).rejects.toBeInstanceOf(ConnectError)
    await expect(first).rejects.toMatchObject({ kind: 'superseded' })
    expect(selectAccount(hawser.chain.getState()).address).toBe(ALICE)
  })
})

it('an attempt on another namespace supersedes the first one', async () => {
  const solana = defineNetwork({
    id: 'dev',
    name: 'Solana',
    chainNamespace: 'solana',
    nativeCurrency: { name: 'SOL', symbol: 'SOL', decimals: 9 },
  })
  const { hawser, wallet } = createKit({ networks: [devnet, solana] })
  const prompt = deferred<string[]>()
  wallet.answers.eth_requestAccounts = () => prompt.promise
  const first = connect(hawser, { connector: wallet.connector })
  const other: Connector<'solana'> = {
    id: 'solana:Other',
    name: 'Other',
    type: 'ANNOUNCED',
    chain: 'solana',
    getProvider: () => Promise.reject(new Error('The wallet is gone')),
  }
  await expect(connect(hawser, { connector: other })).rejects.toBeInstanceOf(ConnectError)
  prompt.resolve([ALICE])
  await expect(first).rejects.toMatchObject({ kind: 'superseded' })
  const statuses = [...hawser.chain.getState().chains.values()].map(({ accountState }) => accountState.status)
  expect(statuses).toEqual(['disconnected', 'disconnected'])
})

describe('a namespace without an adapter', () => {
  it('fails with an error that says so', async () => {
    const { hawser, wallet } = createKit()
    const connector = { ...wallet.connector, chain: 'solana' as const }
    await expect(connect(hawser, { connector })).rejects.toThrow('Chain adapter not found')
  })
})

describe('a connected wallet', () => {
  it('changes the account, and what was read of the old one is forgotten', async () => {
    const { hawser, wallet, clock } = await createConnectedKit()
    await clock.advance(0)
    wallet.emit('accountsChanged', [BOB])
    const account = selectAccount(hawser.chain.getState())
    expect(account).toMatchObject({
      address: BOB,
      caipAddress: `eip155:31337:${BOB}`,
      tokenBalanceLoaded: false,
    })
    expect(account.tokenBalance).toEqual([])
    expect(hawser.sessions.get('eip155')?.accounts).toMatchObject([{ address: BOB }])
  })

  it('of a namespace that is not active changes its own record alone', async () => {
    const solana = defineNetwork({
      id: 'dev',
      name: 'Solana',
      chainNamespace: 'solana',
      nativeCurrency: { name: 'SOL', symbol: 'SOL', decimals: 9 },
    })
    const { hawser, wallet } = await createConnectedKit({ networks: [devnet, devnetTwo, solana] })
    switchNamespace(hawser, 'solana')
    hawser.send.setState({ status: 'sending', sendTokenAmount: '1' })

    wallet.emit('chainChanged', '0x7a6a')
    wallet.emit('accountsChanged', [BOB])
    expect(hawser.chain.getState().activeCaipNetwork).toBe(solana)
    expect(selectAccount(hawser.chain.getState(), 'eip155').caipAddress).toBe(`eip155:31338:${BOB}`)
    expect(hawser.send.getState()).toMatchObject({ status: 'sending', sendTokenAmount: '1' })

    wallet.emit('accountsChanged', [])
    expect(selectAccount(hawser.chain.getState(), 'eip155').address).toBeUndefined()
    expect(hawser.send.getState()).toMatchObject({ status: 'sending', sendTokenAmount: '1' })
  })

  it('changes the network', async () => {
    const { hawser, wallet } = await createConnectedKit()
    wallet.emit('chainChanged', '0x7a6a')
    expect(hawser.chain.getState().activeCaipAddress).toBe(`eip155:31338:${ALICE}`)
  })

  it('closes UnsupportedChain once the wallet is on a network of the site again', async () => {
    const { hawser, wallet } = await createConnectedKit()
    wallet.emit('chainChanged', '0x3e7')
    expect(hawser.router.getState().view).toBe('UnsupportedChain')
    wallet.emit('chainChanged', '0x7a69')
    expect(hawser.modal.getState().open).toBe(false)
  })

  it('disconnects when it is locked', async () => {
    const { hawser, wallet, events, storage } = await createConnectedKit()
    wallet.emit('accountsChanged', [])
    expect(hawser.connection.getState().status).toBe('disconnected')
    expect(events.at(-1)).toEqual({ event: 'DISCONNECT_SUCCESS', properties: { namespace: 'eip155' } })
    expect(storage.values.has('@hawser/v1/eip155:connected_connector_id')).toBe(false)
    expect(wallet.listenerCount()).toBe(0)
  })

  it('is not listened to any more once another one took its place', async () => {
    const { hawser, wallet } = await createConnectedKit()
    const other = createFakeWallet({ id: 'other', name: 'Other' })
    await connect(hawser, { connector: other.connector })
    expect(wallet.listenerCount()).toBe(0)
    expect(other.listenerCount()).toBeGreaterThan(0)
  })

  it.each([undefined, null, '', 'loading', '0x0', '-1'])(
    'changes nothing when it names the chain %j',
    async (chainId) => {
      const { hawser, wallet } = await createConnectedKit()
      wallet.emit('chainChanged', chainId)
      expect(hawser.chain.getState().activeCaipAddress).toBe(`eip155:31337:${ALICE}`)
    },
  )

  it('stays connected when it only lost its node', async () => {
    const { hawser, wallet } = await createConnectedKit()
    wallet.emit('disconnect', { code: 1013 })
    await settle()
    expect(hawser.connection.getState().status).toBe('connected')
  })
})
