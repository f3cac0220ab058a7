import { describe, expect, it } from 'vitest'
import { defineNetwork, unknownNetwork } from '../network/network.ts'
import { createConnectedKit, createKit, devnet, devnetTwo } from '../testing/kit.ts'
import { setActiveNetwork, switchNamespace } from './activeNetwork.ts'
import { activateNamespace } from './chainState.ts'
import { addNetwork, removeNetwork, requestedNetwork } from './requestedNetworks.ts'
import {
  approvedFirst,
  isActiveNetworkRequested,
  selectAccount,
  selectRequestedNetworks,
} from './selectors.ts'

const unasked = unknownNetwork('eip155:999')

const solana = defineNetwork({
  id: 'dev',
  name: 'Solana',
  chainNamespace: 'solana',
  nativeCurrency: { name: 'SOL', symbol: 'SOL', decimals: 9 },
})

describe('a network that the site does not list', () => {
  it('opens UnsupportedChain', () => {
    const { hawser } = createKit()
    setActiveNetwork(hawser, unasked)
    expect(hawser.modal.getState().open).toBe(true)
    expect(hawser.router.getState().history).toEqual(['UnsupportedChain'])
    expect(isActiveNetworkRequested(hawser.chain.getState())).toBe(false)
  })

  it.each([{ enableNetworkSwitch: false }, { allowUnsupportedChain: true }, { wcBasic: true }])(
    'opens nothing with %j',
    (options) => {
      const { hawser } = createKit(options)
      setActiveNetwork(hawser, unasked)
      expect(hawser.modal.getState().open).toBe(false)
    },
  )
})

describe('moving to another network', () => {
  it('moves the address along and forgets the balances', async () => {
    const { hawser } = await createConnectedKit()
    setActiveNetwork(hawser, devnetTwo)
    const { address, ...account } = selectAccount(hawser.chain.getState())
    expect(hawser.chain.getState().activeCaipAddress).toBe(`eip155:31338:${address}`)
    expect(account).toMatchObject({ balance: undefined, tokenBalance: [], tokenBalanceLoaded: false })
    expect(account.addressExplorerUrl).toBeUndefined()
  })

  it('is stored', () => {
    const { hawser, storage } = createKit()
    setActiveNetwork(hawser, devnetTwo)
    expect(storage.values.get('@hawser/v1/active_caip_network_id')).toBe('"eip155:31338"')
  })

  it('flags a switch of the namespace', () => {
    const { hawser } = createKit({ networks: [devnet, solana] })
    setActiveNetwork(hawser, solana)
    expect(hawser.chain.getState()).toMatchObject({ activeChain: 'solana', isSwitchingNamespace: true })
    setActiveNetwork(hawser, solana)
    expect(hawser.chain.getState().isSwitchingNamespace).toBe(false)
  })

  it('finds a namespace on the network it was left on', () => {
    const { hawser } = createKit({ networks: [devnet, devnetTwo, solana] })
    setActiveNetwork(hawser, devnetTwo)
    setActiveNetwork(hawser, solana)
    activateNamespace(hawser.chain, 'eip155')
    expect(hawser.chain.getState().activeCaipNetwork?.name).toBe('Devnet Two')
  })

  it('of another namespace drops the send draft', () => {
    const { hawser } = createKit({ networks: [devnet, solana] })
    hawser.send.setState({ sendTokenAmount: '1' })
    switchNamespace(hawser, 'solana')
    expect(hawser.chain.getState()).toMatchObject({ activeChain: 'solana', isSwitchingNamespace: true })
    expect(hawser.send.getState().sendTokenAmount).toBe('')
    switchNamespace(hawser, 'bip122')
    expect(hawser.chain.getState().activeChain).toBe('solana')
  })

  it('finds each namespace where it was left after a reload', () => {
    const networks = [devnet, devnetTwo, solana] as const
    const { hawser, storage } = createKit({ networks })
    setActiveNetwork(hawser, devnetTwo)
    switchNamespace(hawser, 'solana')
    const { hawser: next } = createKit({ networks, storage })
    next.mount()
    expect(next.chain.getState().activeChain).toBe('solana')
    switchNamespace(next, 'eip155')
    expect(next.chain.getState().activeCaipNetwork?.name).toBe('Devnet Two')
  })

  it('ignores a namespace the site has no network of', () => {
    const { hawser } = createKit()
    setActiveNetwork(hawser, solana)
    expect(hawser.chain.getState().activeChain).toBe('eip155')
  })
})

describe('the requested networks', () => {
  const third = defineNetwork({ id: 3, name: 'Third', nativeCurrency: devnet.nativeCurrency })

  it('grow by one, and never hold one twice', () => {
    const { hawser } = createKit()
    addNetwork(hawser, third)
    addNetwork(hawser, { ...third, name: 'Renamed' })
    expect(selectRequestedNetworks(hawser.chain.getState()).map(({ name }) => name)).toEqual([
      'Devnet',
      'Devnet Two',
      'Renamed',
    ])
    expect(requestedNetwork(hawser, 'eip155:3')?.name).toBe('Renamed')
  })

  it('hand over to the first that is left when the active one is removed', () => {
    const { hawser } = createKit()
    removeNetwork(hawser, devnet)
    expect(hawser.chain.getState().activeCaipNetwork?.name).toBe('Devnet Two')
  })

  it('are listed with those a session approved first', () => {
    const order = approvedFirst([devnet, devnetTwo, third], ['eip155:3', 'eip155:31338'])
    expect(order.map(({ name }) => name)).toEqual(['Devnet Two', 'Third', 'Devnet'])
  })

  it('must hold the default network', () => {
    expect(() => createKit({ defaultNetwork: third })).toThrow('Network not found')
  })
})
