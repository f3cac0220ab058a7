import { describe, expect, it, vi } from 'vitest'
import { chooseAccount } from '../connection/accounts.ts'
import { connect } from '../connection/connect.ts'
import { SwitchNetworkError } from '../errors/walletErrors.ts'
import { openModal } from '../modal/modal.ts'
import { defineNetwork } from '../network/network.ts'
import { pushView } from '../router/navigate.ts'
import { setSendAmount } from '../send/edit.ts'
import { walletError } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit, devnet, devnetTwo } from '../testing/kit.ts'
import type { Connector, ConnectorFactory } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import type { PolkadotProvider } from '../types/providers.ts'
import { selectAccount } from './selectors.ts'
import { switchNetwork } from './switchNetwork.ts'

const activeName = (hawser: Hawser) => hawser.chain.getState().activeCaipNetwork?.name

describe('without a wallet', () => {
  it('switches at once', async () => {
    const { hawser, events } = createKit()
    await switchNetwork(hawser, { network: devnetTwo })
    expect(activeName(hawser)).toBe('Devnet Two')
    expect(events.at(-1)).toEqual({ event: 'SWITCH_NETWORK', properties: { network: 'eip155:31338' } })
  })
})

it('shows a Polkadot account as the network writes it, which stays the chosen one', async () => {
  const [polkadot, kusama] = ['91b171bb158e2d3848fa23a9f1c25182', 'b0a8d493285c2df73290dfb7e61f870f'].map(
    (id) =>
      defineNetwork({
        id,
        name: id,
        chainNamespace: 'polkadot',
        nativeCurrency: { name: 'DOT', symbol: 'DOT', decimals: 10 },
      }),
  ) as [Network, Network]
  const provider: PolkadotProvider = {
    connect: async () => [
      { address: '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty', type: 'eoa' },
      { address: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY', type: 'eoa' },
    ],
    onAccounts: () => () => undefined,
    signMessage: async () => '0x',
    signPayload: async () => '0x',
  }
  const connector: Connector<'polkadot'> = {
    id: 'polkadot:test',
    name: 'Test',
    type: 'ANNOUNCED',
    chain: 'polkadot',
    getProvider: async () => provider,
  }
  const wallets: ConnectorFactory = ({ add }) => {
    add(connector)
    return () => undefined
  }
  const { hawser } = createKit({ networks: [polkadot, kusama], connectors: [wallets] })
  hawser.mount()
  await connect(hawser, { connector })
  chooseAccount(hawser, '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5')
  await switchNetwork(hawser, { network: kusama })
  const address = 'HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F'
  expect(selectAccount(hawser.chain.getState())).toMatchObject({
    address,
    caipAddress: `${kusama.caipNetworkId}:${address}`,
    shouldUpdateToAddress: address,
  })
})

describe('with a wallet', () => {
  it('requests it by EIP-3326', async () => {
    const { hawser, wallet } = await createConnectedKit()
    await switchNetwork(hawser, { network: devnetTwo })
    expect(wallet.calls).toContainEqual({
      method: 'wallet_switchEthereumChain',
      params: [{ chainId: '0x7a6a' }],
    })
    expect(activeName(hawser)).toBe('Devnet Two')
  })

  it('drops the send draft', async () => {
    const { hawser } = await createConnectedKit()
    setSendAmount(hawser, '1')
    await switchNetwork(hawser, { network: devnetTwo })
    expect(hawser.send.getState().sendTokenAmount).toBe('')
  })

  it('adds a network the wallet does not know, with the nodes of the network', async () => {
    const { hawser, wallet } = await createConnectedKit()
    wallet.known.delete(31338)
    await switchNetwork(hawser, { network: devnetTwo })
    expect(wallet.calls.find(({ method }) => method === 'wallet_addEthereumChain')?.params).toEqual([
      {
        chainId: '0x7a6a',
        chainName: 'Devnet Two',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: ['http://127.0.0.1:8546'],
      },
    ])
    expect(wallet.chainId).toBe(31338)
    expect(activeName(hawser)).toBe('Devnet Two')
  })

  it('is not requested again when adding the network switched it already', async () => {
    const { hawser, wallet } = await createConnectedKit()
    wallet.known.delete(31338)
    wallet.answers.wallet_addEthereumChain = () => {
      wallet.chainId = 31338
      return null
    }
    await switchNetwork(hawser, { network: devnetTwo })
    expect(wallet.calls.filter(({ method }) => method === 'wallet_switchEthereumChain')).toHaveLength(1)
    expect(activeName(hawser)).toBe('Devnet Two')
  })

  it("adds it with the gateway's URL when the network names no node", async () => {
    const { hawser, wallet } = await createConnectedKit()
    wallet.chainId = 31338
    wallet.known.delete(31337)
    await switchNetwork(hawser, { network: devnet })
    expect(wallet.calls.find(({ method }) => method === 'wallet_addEthereumChain')?.params).toMatchObject([
      {
        rpcUrls: [
          'http://gateway.test/v1/?chainId=eip155%3A31337&projectId=00000000000000000000000000000001',
        ],
        blockExplorerUrls: ['https://explorer.test/'],
      },
    ])
  })

  it.each([
    ['4001', walletError(4001, 'no'), { code: 4001, kind: 'rejected', message: 'You declined.' }],
    [
      '-32603',
      walletError(-32603, 'bad'),
      {
        code: -32603,
        kind: 'invalidChain',
        message: 'Your wallet doesn’t accept this network. Choose another one.',
      },
    ],
    [
      '32603',
      walletError(32603, 'bad'),
      {
        code: 32603,
        kind: 'invalidChain',
        message: 'Your wallet doesn’t accept this network. Choose another one.',
      },
    ],
    [
      '-32002',
      walletError(-32002, 'already pending for origin'),
      { code: -32002, kind: 'failed', message: 'Your wallet is already asking. Open it to continue.' },
    ],
    [
      'no code',
      new Error('odd'),
      { code: 5000, kind: 'failed', message: 'Your wallet didn’t switch. Open it, then try again.' },
    ],
  ])('stays where it was and says what to do after %s', async (_, error, expected) => {
    const { hawser, wallet } = await createConnectedKit()
    wallet.answers.wallet_switchEthereumChain = () => {
      throw error
    }
    const switching = switchNetwork(hawser, { network: devnetTwo })
    await expect(switching).rejects.toBeInstanceOf(SwitchNetworkError)
    await expect(switching).rejects.toMatchObject(expected)
    expect(activeName(hawser)).toBe('Devnet')
  })

  it('throws "NetworkController client not set" when nothing switches networks of the namespace', async () => {
    const { hawser } = await createConnectedKit()
    const session = hawser.sessions.get('eip155')
    if (session) hawser.sessions.set('solana', session)
    const network = { ...devnetTwo, chainNamespace: 'solana' as const }
    await expect(switchNetwork(hawser, { network })).rejects.toThrow('NetworkController client not set')
  })

  it.each([
    walletError(4902, 'Unrecognized chain ID'),
    { code: '4902', message: 'Unrecognized chain ID' },
    { code: -32603, message: 'Internal', data: { originalError: { code: 4902 } } },
    { code: -32603, message: 'Unrecognized chain ID "0x7a6a".' },
    { code: -32000, message: 'Unrecognized chain ID "0x7a6a".' },
    new Error('Try adding the chain using wallet_addEthereumChain first.'),
  ])('adds a network that the wallet does not know, as it says by %o', async (error) => {
    const { hawser, wallet } = await createConnectedKit()
    const switchTo = wallet.answers.wallet_switchEthereumChain
    wallet.known.delete(31338)
    wallet.answers.wallet_switchEthereumChain = (params) => {
      if (wallet.known.has(31338)) return switchTo?.(params)
      throw error
    }
    await switchNetwork(hawser, { network: devnetTwo })
    expect(activeName(hawser)).toBe('Devnet Two')
  })
})

describe('the views of switching', () => {
  it('are left for the view before them', async () => {
    const { hawser } = await createConnectedKit()
    openModal(hawser, { view: 'Account' })
    pushView(hawser, 'Networks')
    pushView(hawser, 'SwitchNetwork', { network: devnetTwo })
    await switchNetwork(hawser, { network: devnetTwo })
    expect(hawser.router.getState().history).toEqual(['Account'])
  })

  it('are left for the account when a send was being written, whose draft is gone', async () => {
    const { hawser } = await createConnectedKit()
    openModal(hawser, { view: 'Account' })
    pushView(hawser, 'WalletSend')
    pushView(hawser, 'Networks')
    await switchNetwork(hawser, { network: devnetTwo })
    expect(hawser.router.getState().history).toEqual(['Account'])
  })

  it('close the modal when they were opened directly', async () => {
    const { hawser } = createKit()
    openModal(hawser, { view: 'Networks' })
    await switchNetwork(hawser, { network: devnetTwo })
    expect(hawser.modal.getState().open).toBe(false)
  })

  it('close the modal after an unsupported chain', async () => {
    const { hawser, wallet } = await createConnectedKit()
    wallet.emit('chainChanged', '0x3e7')
    pushView(hawser, 'SwitchNetwork', { network: devnetTwo })
    await switchNetwork(hawser, { network: devnetTwo })
    expect(hawser.modal.getState().open).toBe(false)
  })
})

describe('a network that the site does not list', () => {
  const unlisted = { ...devnetTwo, id: 999, caipNetworkId: 'eip155:999' } as const

  it('is not switched to, and an alert is raised', async () => {
    const report = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { hawser, wallet } = await createConnectedKit({ debug: true })
    wallet.calls.length = 0
    await expect(switchNetwork(hawser, { network: unlisted })).rejects.toThrow('Network not found')
    expect(report).toHaveBeenCalledExactlyOnceWith(
      "[hawser] Network not found - please make sure it is included in 'networks' array in createHawser function",
    )
    expect(hawser.alert.getState()).toMatchObject({ open: true, message: 'Network Not Found' })
    expect(wallet.calls).toEqual([])
  })

  it('is raised for a default network that is not in the list', () => {
    const report = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(() => createKit({ defaultNetwork: unlisted })).toThrow('Network not found')
    expect(report).toHaveBeenCalledWith(expect.stringContaining('Network not found - please make sure'))
  })
})
