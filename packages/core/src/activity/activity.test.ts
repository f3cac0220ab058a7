import { afterEach, describe, expect, it, vi } from 'vitest'
import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { isServed } from '../gateway/servedFeatures.ts'
import { sendToken } from '../send/sendToken.ts'
import { settle } from '../testing/fakeClock.ts'
import type { HistoryPage } from '../testing/fakeGateway.ts'
import { DOLLAR } from '../testing/fakeGateway.ts'
import { ALICE, BOB } from '../testing/fakeWallet.ts'
import { createConnectedKit, devnetTwo, type Kit } from '../testing/kit.ts'
import { previewing } from '../testing/previewing.ts'
import { transaction, transfer } from '../testing/transactions.ts'
import type { ChainAdapter } from '../types/adapter.ts'
import { fetchActivity, fetchOlderActivity, watchActivity } from './fetchActivity.ts'
import { isSpam, shownActivity } from './pages.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const activityOf = ({ hawser }: Kit) => hawser.activity.getState()
const shown = ({ hawser }: Kit) => shownActivity(hawser.activity.getState())
const numbers = (kit: Kit) => shown(kit).map(({ metadata }) => metadata.nonce)
const historyRequests = ({ gateway }: Kit) =>
  gateway.requests.filter((request) => request.includes('/GetHistory '))

/** Returns a history with this many transactions, three a page, the newest with the highest number. */
function history(count: number): (cursor: string | null) => HistoryPage {
  return (cursor) => {
    const from = cursor === null ? count : Number(cursor)
    const data = [from, from - 1, from - 2]
      .filter((number) => number > 0)
      .map((number) => transaction(number))
    return { data, next: from > 3 ? String(from - 3) : null }
  }
}

describe('the history', () => {
  it('is that of the adapter where it has one, also on a chain that the gateway does not list', async () => {
    const kit = await createConnectedKit()
    kit.gateway.served = []
    const history = vi.fn(async (_network: unknown, _address: string, cursor: string | undefined) => ({
      transactions: [{ ...transaction(cursor ? 1 : 2), transfers: [] }],
      next: cursor ? undefined : 'last',
      coverage: undefined,
    }))
    const adapter = kit.hawser.adapters.get('eip155') as ChainAdapter
    kit.hawser.adapters.set('eip155', { ...adapter, history })
    await fetchActivity(kit.hawser)
    await fetchOlderActivity(kit.hawser)
    expect(numbers(kit)).toEqual([2, 1])
    expect(history.mock.calls.map(([, address, cursor]) => [address, cursor])).toEqual([
      [ALICE, undefined],
      [ALICE, 'last'],
    ])
    expect(historyRequests(kit)).toEqual([])
  })

  it('is read page by page, without a repeat or a gap', async () => {
    const kit = await createConnectedKit()
    kit.gateway.history = history(7)
    await fetchActivity(kit.hawser)
    expect(numbers(kit)).toEqual([7, 6, 5])
    await fetchOlderActivity(kit.hawser)
    await fetchOlderActivity(kit.hawser)
    expect(numbers(kit)).toEqual([7, 6, 5, 4, 3, 2, 1])
    expect(activityOf(kit)).toMatchObject({ next: undefined, isLoaded: true, reading: undefined })
    await fetchOlderActivity(kit.hawser)
    expect(historyRequests(kit)).toHaveLength(3)
  })

  it('is of the account and network in use', async () => {
    const kit = await createConnectedKit()
    await fetchActivity(kit.hawser)
    expect(historyRequests(kit)[0]).toContain(`/GetHistory {"address":"${ALICE}","chainId":"eip155:31337"`)
  })

  it('keeps older pages when its newest page is read again', async () => {
    const kit = await createConnectedKit()
    kit.gateway.history = history(7)
    await fetchActivity(kit.hawser)
    await fetchOlderActivity(kit.hawser)
    kit.gateway.history = history(8)
    await fetchActivity(kit.hawser)
    expect(numbers(kit)).toEqual([8, 7, 6, 5, 4, 3, 2])
    await fetchOlderActivity(kit.hawser)
    expect(numbers(kit)).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
  })

  it('starts again when the new rows leave a gap', async () => {
    const kit = await createConnectedKit()
    kit.gateway.history = history(7)
    await fetchActivity(kit.hawser)
    await fetchOlderActivity(kit.hawser)
    kit.gateway.history = history(20)
    await fetchActivity(kit.hawser)
    expect(numbers(kit)).toEqual([20, 19, 18])
    await fetchOlderActivity(kit.hawser)
    expect(numbers(kit)).toEqual([20, 19, 18, 17, 16, 15])
  })

  it('loses a row that a reorganisation took away', async () => {
    const kit = await createConnectedKit()
    kit.gateway.history = () => ({ data: [transaction(3), transaction(2), transaction(1)] })
    await fetchActivity(kit.hawser)
    kit.gateway.history = () => ({ data: [transaction(2), transaction(1)] })
    await fetchActivity(kit.hawser)
    expect(numbers(kit)).toEqual([2, 1])
  })

  it('is another one on another network', async () => {
    const kit = await createConnectedKit()
    kit.gateway.history = history(3)
    await fetchActivity(kit.hawser)
    setActiveNetwork(kit.hawser, devnetTwo)
    kit.gateway.history = history(1)
    const asked = fetchActivity(kit.hawser)
    expect(numbers(kit)).toEqual([])
    expect(activityOf(kit).isLoaded).toBe(false)
    await asked
    expect(numbers(kit)).toEqual([1])
  })

  it('is empty on a chain the gateway does not serve', async () => {
    const kit = await createConnectedKit()
    setActiveNetwork(kit.hawser, { ...devnetTwo, id: 5, caipNetworkId: 'eip155:5' })
    await fetchActivity(kit.hawser)
    expect(activityOf(kit)).toMatchObject({ isLoaded: true, transactions: [] })
    expect(historyRequests(kit)).toEqual([])
  })
})

describe('when the history cannot be read', () => {
  it('that is said once, and what was read stays', async () => {
    const kit = await createConnectedKit()
    kit.gateway.history = history(3)
    await fetchActivity(kit.hawser)
    kit.gateway.status = 500
    await fetchActivity(kit.hawser)
    expect(kit.hawser.toast.getState()).toMatchObject({
      message: 'Failed to fetch transactions',
      variant: 'error',
      open: true,
    })
    await kit.clock.advance(5_000)
    await fetchActivity(kit.hawser)
    expect(kit.hawser.toast.getState().open).toBe(false)
    expect(activityOf(kit)).toMatchObject({ hasFailed: true, reading: undefined })
    expect(numbers(kit)).toEqual([3, 2, 1])
  })

  it('another try is enough', async () => {
    const kit = await createConnectedKit()
    await isServed(kit.hawser, 'eip155:31337')
    kit.gateway.status = 500
    await fetchActivity(kit.hawser)
    kit.gateway.status = 200
    await fetchActivity(kit.hawser)
    expect(activityOf(kit)).toMatchObject({ hasFailed: false, isLoaded: true })
  })
})

describe('watching the history', () => {
  it('reads it again as soon as the gateway pushes a change', async () => {
    const kit = await createConnectedKit()
    // The gateway of this test has no stream: wait until the attempt to open one has failed.
    await vi.waitFor(() => expect(kit.gateway.requests.join()).toContain('WatchAccount'))
    await settle()
    kit.hawser.push.setState({ isLive: true })
    const stop = watchActivity(kit.hawser)
    await settle()
    await kit.clock.advance(60_000)
    expect(historyRequests(kit)).toHaveLength(1)
    kit.hawser.push.setState({ activityChanges: 1 })
    await settle()
    expect(historyRequests(kit)).toHaveLength(2)
    stop()
  })

  it.each([
    ['no stream is open', false, false],
    ['older blocks are still being read', true, true],
  ])('requests every 10 seconds while %s', async (_, isLive, backfilling) => {
    const kit = await createConnectedKit()
    kit.gateway.history = () => ({ data: [], coverage: { backfilling, fromBlock: {}, nativeFromBlock: {} } })
    await settle()
    kit.hawser.push.setState({ isLive })
    const stop = watchActivity(kit.hawser)
    await settle()
    await kit.clock.advance(20_000)
    expect(historyRequests(kit)).toHaveLength(3)
    stop()
    await kit.clock.advance(60_000)
    expect(historyRequests(kit)).toHaveLength(3)
  })
})

describe('a transaction sent here', () => {
  const HASH = `0x${'ab'.repeat(32)}`

  it('is shown as pending at once, to the last unit, until the history holds it', async () => {
    const kit = await previewing(DOLLAR, '1.000001')
    kit.gateway.node.eth_getTransactionReceipt = () => null
    await fetchActivity(kit.hawser)
    await sendToken(kit.hawser)
    expect(shown(kit)).toMatchObject([
      {
        metadata: { hash: HASH, status: 'pending', operationType: 'send', sentFrom: ALICE, sentTo: BOB },
        transfers: [{ direction: 'out', quantity: { numeric: '1.000001' }, recipient: BOB }],
      },
    ])

    kit.gateway.history = () => ({ data: [transaction(1, { hash: HASH.toUpperCase().replace('X', 'x') })] })
    await fetchActivity(kit.hawser)
    expect(shown(kit)).toHaveLength(1)
    expect(shown(kit)[0]?.metadata.status).toBe('confirmed')

    kit.gateway.history = () => ({ data: [] })
    await fetchActivity(kit.hawser)
    expect(shown(kit)).toEqual([])
  })

  it.each([
    ['0x1', 'confirmed'],
    ['0x0', 'failed'],
  ])('with the receipt status %s is %s, and the history is read', async (status, said) => {
    const kit = await previewing(DOLLAR, '1')
    kit.gateway.node.eth_getTransactionReceipt = () => ({ status })
    await fetchActivity(kit.hawser)
    await sendToken(kit.hawser)
    await vi.waitFor(() => expect(shown(kit)[0]?.metadata.status).toBe(said))
    expect(kit.hawser.push.getState().activityChanges).toBe(1)
  })

  it('is not shown on another network', async () => {
    const kit = await previewing(DOLLAR, '1')
    await sendToken(kit.hawser)
    setActiveNetwork(kit.hawser, devnetTwo)
    await fetchActivity(kit.hawser)
    expect(shown(kit)).toEqual([])
  })
})

describe('spam', () => {
  const nft = (isSpam: boolean) =>
    transfer({
      nftInfo: {
        name: '',
        flags: { isSpam },
        address: 'eip155:31337:0xa',
        tokenId: '1',
        standard: 'erc721',
      },
    })

  it('is a transaction in which nothing else moved', () => {
    expect(isSpam(transaction(1, {}, [nft(true), nft(true)]))).toBe(true)
    expect(isSpam(transaction(1, {}, [nft(true), nft(false)]))).toBe(false)
    expect(isSpam(transaction(1, {}, [nft(true), transfer()]))).toBe(false)
  })
})
