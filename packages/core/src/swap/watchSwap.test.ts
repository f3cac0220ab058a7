import { describe, expect, it, vi } from 'vitest'
import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { closeModal, openModal } from '../modal/modal.ts'
import { defineNetwork } from '../network/network.ts'
import { goBack, pushView } from '../router/navigate.ts'
import { Refusal } from '../testing/connectRouter.ts'
import { settle } from '../testing/fakeClock.ts'
import { openStream } from '../testing/fakeGateway.ts'
import { BOB } from '../testing/fakeWallet.ts'
import { createConnectedKit, devnet, devnetTwo } from '../testing/kit.ts'
import { readinessOf, requestsFor, swapping, typeAmount } from '../testing/swapping.ts'
import { DOLLAR_ADDRESS } from '../testing/tokens.ts'
import { openSwap } from './edit.ts'
import { listSwapNetworks } from './networks.ts'
import { watchSwap } from './watchSwap.ts'

describe('a new swap', () => {
  it('sells the native currency', async () => {
    const { hawser } = await swapping()
    expect(hawser.swap.getState()).toMatchObject({
      availability: 'available',
      sourceToken: { symbol: 'ETH' },
      toToken: undefined,
      sourceTokenAmount: '',
      slippage: 100,
    })
    expect(hawser.swap.getState().tokens.map(({ symbol }) => symbol)).toEqual(['ETH', 'GOLD', 'tUSD'])
  })

  it.each([
    ['symbols', { fromToken: 'tusd', toToken: 'eth', amount: '7.5' }],
    ['addresses', { fromToken: DOLLAR_ADDRESS.toLowerCase(), toToken: 'ETH', amount: '7.5' }],
    ['CAIP-10 ids', { fromToken: `eip155:31337:${DOLLAR_ADDRESS}`, toToken: 'ETH', amount: '7.5' }],
  ])('begins with what it was opened with: %s', async (_, wanted) => {
    const kit = await swapping(wanted)
    expect(kit.hawser.swap.getState()).toMatchObject({
      sourceToken: { symbol: 'tUSD' },
      toToken: { symbol: 'ETH' },
      sourceTokenAmount: '7.5',
    })
    expect(readinessOf(kit)).toBe('ready')
  })

  it('may be opened as a view with arguments', async () => {
    const { hawser } = await createConnectedKit()
    openModal(hawser, { view: 'Swap', arguments: { fromToken: 'ETH', toToken: 'tUSD', amount: '1' } })
    expect(hawser.router.getState()).toMatchObject({ view: 'Swap', data: { swap: { toToken: 'tUSD' } } })
  })

  it('reports to the site that it was opened', async () => {
    const kit = await createConnectedKit()
    openSwap(kit.hawser, { toToken: 'tUSD' })
    expect(kit.events.find(({ event }) => event === 'OPEN_SWAP')).toEqual({
      event: 'OPEN_SWAP',
      properties: { network: 'eip155:31337', isSmartAccount: false },
    })
    expect(kit.hawser.modal.getState().open).toBe(true)
  })

  it('loads the prices that the balance list does not have', async () => {
    const kit = await swapping({ toToken: 'GOLD' }, ({ gateway }) => {
      gateway.prices = { 'eip155:31337:0x000000000000000000000000000000000000601d': 65 }
    })
    expect(kit.hawser.swap.getState().prices).toEqual({
      'eip155:31337:0x000000000000000000000000000000000000601d': 65,
    })
  })

  it('reads balances from the chain that the balance list leaves out', async () => {
    const kit = await swapping({ fromToken: 'GOLD', toToken: 'ETH', amount: '8' }, ({ gateway }) => {
      gateway.node.eth_call = () => `0x${(7).toString(16).padStart(64, '0')}`
    })
    expect(readinessOf(kit)).toBe('insufficientBalance')
    await typeAmount(kit, '7')
    expect(readinessOf(kit)).toBe('ready')
    kit.gateway.node.eth_call = () => `0x${(6).toString(16).padStart(64, '0')}`
    kit.hawser.push.setState({ activityChanges: 1 })
    await settle()
    expect(readinessOf(kit)).toBe('insufficientBalance')
  })

  it('leaves an unreadable balance to the gateway', async () => {
    const kit = await swapping({ fromToken: 'GOLD', toToken: 'ETH', amount: '8' }, ({ gateway }) => {
      gateway.node.eth_call = () => {
        throw new Error('node down')
      }
    })
    expect(readinessOf(kit)).toBe('ready')
  })

  it('does not wait for a wallet that does not answer whether it makes batches', async () => {
    const kit = await createConnectedKit()
    kit.wallet.answers.wallet_getCapabilities = () => new Promise(() => undefined)
    openModal(kit.hawser, { view: 'Swap' })
    watchSwap(kit.hawser)
    await settle()
    await vi.waitFor(() => expect(kit.hawser.swap.getState().availability).toBe('available'))
    await kit.clock.advance(1_000)
    expect(kit.hawser.swap.getState().isAtomic).toBe(false)
  })
})

describe('a network without swaps', () => {
  it('is unsupported by the answer of the gateway', async () => {
    const kit = await swapping({}, ({ hawser }) => setActiveNetwork(hawser, devnetTwo))
    expect(kit.hawser.swap.getState().availability).toBe('unsupported')
  })

  it('is not requested', async () => {
    const other = defineNetwork({
      id: 7777777,
      name: 'Zora',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    })
    const kit = await createConnectedKit({ networks: [other, devnet] })
    setActiveNetwork(kit.hawser, other)
    openModal(kit.hawser, { view: 'Swap' })
    watchSwap(kit.hawser)
    await settle()
    expect(kit.hawser.swap.getState().availability).toBe('unsupported')
    expect(requestsFor(kit, '/hawser.convert.')).toEqual([])
  })

  it('lists the networks that have swaps', async () => {
    const named = (id: number, name: string) =>
      defineNetwork({ id, name, nativeCurrency: devnet.nativeCurrency })
    const networks = [devnet, devnetTwo, named(1, 'Ethereum'), named(10, 'Optimism')] as const
    const kit = await createConnectedKit({ networks })
    kit.hawser.gateway.features = undefined
    kit.gateway.features = { swapChains: { chainIds: ['eip155:31337', 'eip155:1'] } }
    const found = await listSwapNetworks(kit.hawser)
    expect(found.map(({ name }) => name)).toEqual(['Devnet', 'Ethereum'])
  })

  it('is not requested if the gateway does not serve it', async () => {
    const kit = await swapping({}, ({ gateway }) => {
      gateway.served = ['eip155:31338']
    })
    expect(kit.hawser.swap.getState().availability).toBe('unsupported')
    expect([...requestsFor(kit, '/hawser.convert.'), ...requestsFor(kit, '/ListPrices ')]).toEqual([])
  })

  it('is not mistaken for an unreachable gateway', async () => {
    const kit = await swapping({}, ({ gateway }) => {
      gateway.conversions.tokens = () => {
        throw new Refusal(503, 'SERVICE_UNAVAILABLE')
      }
    })
    expect(kit.hawser.swap.getState().availability).toBe('unreachable')
    expect(kit.hawser.toast.getState().message).toBe('Failed to initialize swap')
  })
})

describe('streamed quotes', () => {
  it('end when the views are left', async () => {
    const streams: AbortSignal[] = []
    const kit = await swapping({ toToken: 'tUSD' }, ({ gateway }) => {
      gateway.watchQuote = (signal) => {
        streams.push(signal)
        return openStream(signal).send({ block: '1', alive: {} }).body
      }
    })
    await typeAmount(kit, '0.5')
    expect(streams.map(({ aborted }) => aborted)).toEqual([false])
    await typeAmount(kit, '0.6')
    expect(streams.map(({ aborted }) => aborted)).toEqual([true, false])
    kit.stop()
    expect(streams.map(({ aborted }) => aborted)).toEqual([true, true])
  })
})

describe('a swap is kept', () => {
  it('while a request of the embedded wallet is shown on top of it', async () => {
    const kit = await swapping({ toToken: 'tUSD' })
    await typeAmount(kit, '0.5')
    pushView(kit.hawser, 'SwapPreview')
    pushView(kit.hawser, 'ApproveTransaction')
    kit.stop()
    expect(kit.hawser.swap.getState().sourceTokenAmount).toBe('0.5')
    goBack(kit.hawser)
    const stop = watchSwap(kit.hawser)
    await settle()
    expect(readinessOf(kit)).toBe('ready')
    goBack(kit.hawser)
    goBack(kit.hawser)
    stop()
    expect(kit.hawser.swap.getState().sourceTokenAmount).toBe('')
  })
})

describe('a swap is dropped', () => {
  it('and started again when the network changes', async () => {
    const kit = await swapping({ toToken: 'tUSD' })
    await typeAmount(kit, '0.5')
    setActiveNetwork(kit.hawser, devnetTwo)
    await settle()
    expect(kit.hawser.swap.getState()).toMatchObject({
      owner: expect.stringContaining('eip155:31338:'),
      sourceTokenAmount: '',
      toToken: undefined,
      quote: undefined,
    })
  })

  it('and started again when the account changes', async () => {
    const kit = await swapping({ toToken: 'tUSD' })
    await typeAmount(kit, '0.5')
    kit.wallet.emit('accountsChanged', [BOB])
    await settle()
    expect(kit.hawser.swap.getState()).toMatchObject({
      owner: `eip155:31337:${BOB}`,
      sourceTokenAmount: '',
    })
  })

  it('when its views are left', async () => {
    const kit = await swapping({ toToken: 'tUSD' })
    await typeAmount(kit, '0.5')
    pushView(kit.hawser, 'SwapSelectToken')
    kit.stop()
    expect(kit.hawser.swap.getState().sourceTokenAmount).toBe('0.5')
    const stop = watchSwap(kit.hawser)
    closeModal(kit.hawser)
    stop()
    expect(kit.hawser.swap.getState()).toMatchObject({ owner: undefined, sourceTokenAmount: '' })
  })
})
