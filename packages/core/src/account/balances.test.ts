import { afterEach, describe, expect, it, vi } from 'vitest'
import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { selectAccount } from '../chain/selectors.ts'
import { disconnect } from '../connection/disconnect.ts'
import { isServed } from '../gateway/servedFeatures.ts'
import { settle } from '../testing/fakeClock.ts'
import { DOLLAR, ETHER } from '../testing/fakeGateway.ts'
import { ALICE, BOB, deferred } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit, devnetTwo, type Kit } from '../testing/kit.ts'
import type { TokenBalance } from '../types/account.ts'
import type { ChainAdapter } from '../types/adapter.ts'
import { fetchNativeBalance } from './nativeBalance.ts'
import { fetchTokenBalance } from './tokenBalance.ts'
import { watchBalances } from './watchBalances.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const accountOf = ({ hawser }: Kit) => selectAccount(hawser.chain.getState())
const balanceRequests = ({ gateway }: Kit) =>
  gateway.requests.filter((request) => request.includes('/GetBalance '))

it('the native token has no address, also where the gateway names it by a placeholder', async () => {
  const kit = await createConnectedKit()
  const placeholder = 'eip155:31337:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
  kit.gateway.balances = [{ ...ETHER, address: placeholder }, DOLLAR]
  const rows = await fetchTokenBalance(kit.hawser)
  expect(rows.map(({ address }) => address)).toEqual([undefined, DOLLAR.address])
})

describe('the native balance', () => {
  it('is exact to the last wei, whatever its size', async () => {
    const kit = await createConnectedKit()
    const wei = 2n ** 128n + 1n
    kit.gateway.node.eth_getBalance = () => `0x${wei.toString(16)}`
    expect(await fetchNativeBalance(kit.hawser)).toBe(wei)
    expect(accountOf(kit)).toMatchObject({
      balance: '340282366920938463463.374607431768211457',
      balanceSymbol: 'ETH',
      balanceLoading: false,
    })
  })

  it('is read as soon as a wallet is connected', async () => {
    const kit = await createConnectedKit()
    await vi.waitFor(() => expect(accountOf(kit).balance).toBe('1'))
  })

  it('is not requested on a chain that the gateway does not serve', async () => {
    const kit = await createConnectedKit()
    kit.gateway.served = []
    const { hawser } = createKit()
    expect(await fetchNativeBalance(hawser)).toBeUndefined()
    expect(kit.gateway.rpcCalls).toEqual([])
  })

  it('is read where the namespace has a service of its own, whose networks the gateway does not list', async () => {
    const kit = await createConnectedKit()
    kit.gateway.served = []
    kit.hawser.gateway.features = undefined
    const adapter = kit.hawser.adapters.get('eip155') as ChainAdapter
    kit.hawser.adapters.set('eip155', { ...adapter, hasOwnService: true, nativeBalance: async () => 5n })
    expect(await fetchNativeBalance(kit.hawser, { bypassCache: true })).toBe(5n)
  })

  it('stays unknown when the node fails', async () => {
    const kit = await createConnectedKit()
    kit.gateway.node.eth_getBalance = () => {
      throw new Error('node down')
    }
    expect(await fetchNativeBalance(kit.hawser)).toBeUndefined()
    expect(accountOf(kit)).toMatchObject({ balance: undefined, balanceLoading: false })
  })

  it('is never that of the previous account, however late the response', async () => {
    const kit = await createConnectedKit()
    await vi.waitFor(() => expect(accountOf(kit).balance).toBe('1'))
    const late = deferred<string>()
    kit.gateway.node.eth_getBalance = ([address]) => (address === ALICE ? late.promise : '0x0')
    const asked = fetchNativeBalance(kit.hawser)
    await settle()
    kit.wallet.emit('accountsChanged', [BOB])
    await vi.waitFor(() => expect(accountOf(kit).balance).toBe('0'))
    late.resolve('0xde0b6b3a7640000')
    await asked
    expect(accountOf(kit).balance).toBe('0')
  })
})

describe('the token list', () => {
  it('is requested for the active account and network', async () => {
    const kit = await createConnectedKit()
    await fetchTokenBalance(kit.hawser)
    expect(accountOf(kit)).toMatchObject({
      tokenBalance: [ETHER, DOLLAR],
      tokenBalanceLoaded: true,
      tokenBalanceLoading: false,
    })
    expect(JSON.parse(balanceRequests(kit)[0]?.split(' ')[2] ?? '')).toEqual({
      address: ALICE,
      currency: 'usd',
      chainId: 'eip155:31337',
    })
  })

  it('drops tokens of exactly "0" decimals', async () => {
    const kit = await createConnectedKit()
    const zero: TokenBalance = { ...DOLLAR, quantity: { decimals: '0', numeric: '3' } }
    const padded: TokenBalance = { ...DOLLAR, quantity: { decimals: '00', numeric: '3' } }
    kit.gateway.balances = [zero, padded]
    expect(await fetchTokenBalance(kit.hawser)).toEqual([padded])
  })

  it('names the tokens whose change is expected', async () => {
    const kit = await createConnectedKit()
    await fetchTokenBalance(kit.hawser, { forceUpdate: ['eip155:31337:0xa', 'eip155:31337:0xb'] })
    expect(decodeURIComponent(balanceRequests(kit)[0] ?? '')).toContain(
      '"forceUpdate":"eip155:31337:0xa,eip155:31337:0xb"',
    )
  })

  it('is nothing for a visitor without a wallet', async () => {
    const kit = createKit()
    expect(await fetchTokenBalance(kit.hawser)).toEqual([])
    expect(kit.gateway.requests).toEqual([])
  })

  it('shows a list of the last 30 seconds until the gateway answers', async () => {
    const kit = await createConnectedKit()
    await fetchTokenBalance(kit.hawser)
    kit.wallet.emit('accountsChanged', [BOB])
    kit.wallet.emit('accountsChanged', [ALICE])
    kit.gateway.balances = deferred<TokenBalance[]>().promise as never
    void fetchTokenBalance(kit.hawser)
    expect(accountOf(kit)).toMatchObject({ tokenBalance: [ETHER, DOLLAR], tokenBalanceLoading: true })
  })

  it('is never that of the network before', async () => {
    const kit = await createConnectedKit()
    const late = deferred<TokenBalance[]>()
    kit.gateway.balances = late.promise as never
    const asked = fetchTokenBalance(kit.hawser)
    await settle()
    setActiveNetwork(kit.hawser, devnetTwo)
    late.resolve([ETHER])
    await asked
    expect(accountOf(kit).tokenBalance).toEqual([])
  })
})

describe('a token list that cannot be had', () => {
  it('shows one toast, and is retried after 30 seconds', async () => {
    const kit = await createConnectedKit()
    await isServed(kit.hawser, 'eip155:31337')
    kit.gateway.status = 500
    await fetchTokenBalance(kit.hawser)
    expect(kit.hawser.toast.getState()).toMatchObject({
      message: 'Token Balance Unavailable',
      variant: 'error',
    })

    await kit.clock.advance(29_999)
    await fetchTokenBalance(kit.hawser)
    expect(balanceRequests(kit)).toHaveLength(1)

    await kit.clock.advance(1)
    await fetchTokenBalance(kit.hawser)
    expect(balanceRequests(kit)).toHaveLength(2)
    expect(kit.hawser.toast.getState().open).toBe(false)
  })

  it.each([
    [401, '[hawser] Invalid Project ID - update configuration'],
    [
      403,
      '[hawser] Origin https://site.test not found on Allowlist - update the allowed origins of the project',
    ],
  ])('reports the reason to the developer for status %i', async (status, text) => {
    const report = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    vi.stubGlobal('location', { origin: 'https://site.test' })
    const kit = await createConnectedKit()
    await isServed(kit.hawser, 'eip155:31337')
    kit.gateway.status = status
    await fetchTokenBalance(kit.hawser)
    expect(report).toHaveBeenCalledExactlyOnceWith(text)
  })

  it('keeps the list that was read before', async () => {
    const kit = await createConnectedKit()
    await fetchTokenBalance(kit.hawser)
    kit.gateway.status = 503
    expect(await fetchTokenBalance(kit.hawser)).toEqual([ETHER, DOLLAR])
  })

  it('is empty on a chain the gateway does not serve, and says so', async () => {
    const wallet = createKit().wallet
    const kit = createKit({}, wallet)
    kit.gateway.served = ['eip155:31338']
    kit.hawser.mount()
    const { connect } = await import('../connection/connect.ts')
    await connect(kit.hawser, { connector: wallet.connector })
    expect(await fetchTokenBalance(kit.hawser)).toEqual([])
    expect(kit.hawser.toast.getState().message).toBe('Token Balance Unavailable')
    expect(balanceRequests(kit)).toEqual([])
  })
})

describe('watching balances', () => {
  it('requests at once and every 10 seconds until it is stopped', async () => {
    const kit = await createConnectedKit()
    const stop = watchBalances(kit.hawser)
    await settle()
    expect(balanceRequests(kit)).toHaveLength(1)
    await kit.clock.advance(20_000)
    expect(balanceRequests(kit)).toHaveLength(3)
    stop()
    await kit.clock.advance(60_000)
    expect(balanceRequests(kit)).toHaveLength(3)
  })

  it('requests at once after a change of network', async () => {
    const kit = await createConnectedKit()
    const stop = watchBalances(kit.hawser)
    await settle()
    setActiveNetwork(kit.hawser, devnetTwo)
    await settle()
    expect(balanceRequests(kit).at(-1)).toContain('"chainId":"eip155:31338"')
    stop()
  })

  it('stops at a 503', async () => {
    const kit = await createConnectedKit()
    await isServed(kit.hawser, 'eip155:31337')
    kit.gateway.status = 503
    const stop = watchBalances(kit.hawser)
    await settle()
    await kit.clock.advance(60_000)
    expect(balanceRequests(kit)).toHaveLength(1)
    stop()
  })

  it('requests nothing in a hidden tab, and at once when it is visible again', async () => {
    const page = Object.assign(new EventTarget(), { hidden: false })
    vi.stubGlobal('document', page)
    const kit = await createConnectedKit()
    const stop = watchBalances(kit.hawser)
    await settle()
    page.hidden = true
    page.dispatchEvent(new Event('visibilitychange'))
    await kit.clock.advance(60_000)
    expect(balanceRequests(kit)).toHaveLength(1)
    page.hidden = false
    page.dispatchEvent(new Event('visibilitychange'))
    await settle()
    expect(balanceRequests(kit)).toHaveLength(2)
    stop()
  })

  it('requests nothing after a disconnect', async () => {
    const kit = await createConnectedKit()
    const stop = watchBalances(kit.hawser)
    await settle()
    await disconnect(kit.hawser)
    await kit.clock.advance(60_000)
    expect(balanceRequests(kit)).toHaveLength(1)
    stop()
  })
})
