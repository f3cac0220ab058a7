import type { BalanceJson } from '@hawser/client/balances'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fetchTokenBalance } from '../account/tokenBalance.ts'
import { watchBalances } from '../account/watchBalances.ts'
import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { selectAccount } from '../chain/selectors.ts'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { PUSH_SILENCE_MS } from '../limits.ts'
import { settle } from '../testing/fakeClock.ts'
import { DOLLAR, ETHER, type FakeStream, openStream } from '../testing/fakeGateway.ts'
import { deferred } from '../testing/fakeWallet.ts'
import { createKit, devnetTwo, type Kit } from '../testing/kit.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const snapshot = (...balances: BalanceJson[]) => ({ block: '7', balances: { balances } })
const accountOf = ({ hawser }: Kit) => selectAccount(hawser.chain.getState())
const isLive = ({ hawser }: Kit) => hawser.push.getState().isLive
const balanceRequests = ({ gateway }: Kit) =>
  gateway.requests.filter((request) => request.includes('/GetBalance '))

interface Following extends Kit {
  /** Every stream that was opened, the newest last. */
  streams: FakeStream[]
  closed: number
  unmount: () => void
}

/** Connects a visitor whose gateway pushes changes. */
async function following(greet = snapshot(ETHER, DOLLAR)): Promise<Following> {
  const kit: Following = { ...createKit(), streams: [], closed: 0, unmount: () => undefined }
  kit.gateway.watch = (signal) => {
    const stream = openStream(signal).send(greet)
    signal.addEventListener('abort', () => {
      kit.closed += 1
    })
    kit.streams.push(stream)
    return stream.body
  }
  kit.unmount = kit.hawser.mount()
  await connect(kit.hawser, { connector: kit.wallet.connector })
  await vi.waitFor(() => expect(isLive(kit)).toBe(true))
  return kit
}

/** Stubs the visibility and the network of the page. */
function stubPage() {
  const page = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', page)
  const window = new EventTarget()
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window))
  return {
    turn(hidden: boolean) {
      page.hidden = hidden
      page.dispatchEvent(new Event('visibilitychange'))
    },
    go: (state: 'online' | 'offline') => window.dispatchEvent(new Event(state)),
  }
}

describe('a pushed balance', () => {
  it('replaces what is shown, exactly', async () => {
    const kit = await following()
    const richer = { ...ETHER, quantity: { decimals: '18', numeric: '1.500000000000000001' } }
    kit.streams[0]?.send(snapshot(richer))
    await vi.waitFor(() => expect(accountOf(kit).balance).toBe('1.500000000000000001'))
    expect(accountOf(kit).tokenBalance).toEqual([richer])
    expect(accountOf(kit).tokenBalanceLoaded).toBe(true)
  })

  it('takes precedence over the response to an earlier request', async () => {
    const kit = await following()
    const slow = deferred<never[]>()
    Object.assign(kit.gateway, { balances: slow.promise })
    const asked = fetchTokenBalance(kit.hawser)
    await settle()
    kit.streams[0]?.send(snapshot(DOLLAR))
    await vi.waitFor(() => expect(accountOf(kit).tokenBalance).toEqual([DOLLAR]))
    slow.resolve([])
    await asked
    expect(accountOf(kit)).toMatchObject({ tokenBalance: [DOLLAR], tokenBalanceLoading: false })
  })

  it('omits NFTs', async () => {
    const whole = { ...DOLLAR, symbol: 'WHOLE', quantity: { decimals: '0', numeric: '3' } }
    expect(accountOf(await following(snapshot(ETHER, whole))).tokenBalance).toEqual([ETHER])
  })

  it('is replaced by the list of a wallet that discovers assets', async () => {
    const kit = await following()
    kit.wallet.answers.wallet_getCapabilities = () => ({ '0x7a6a': { assetDiscovery: { supported: true } } })
    kit.wallet.answers.wallet_getAssets = () => ({ '0x7a6a': [] })
    setActiveNetwork(kit.hawser, devnetTwo)
    await vi.waitFor(() => expect(isLive(kit)).toBe(true))
    expect(accountOf(kit).tokenBalance).toEqual([])
  })
})

describe('a change of history', () => {
  it('is counted', async () => {
    const kit = await following()
    kit.streams[0]?.send({ block: '8', activity: {} })
    await vi.waitFor(() => expect(kit.hawser.push.getState().activityChanges).toBe(1))
  })
})

describe('a change of names', () => {
  const named = (name: string) => () => ({ name })

  it('is shown at once, despite the cache', async () => {
    const kit = await following()
    await vi.waitFor(() => expect(kit.hawser.storage.read('identity_cache')).toBeDefined())
    kit.gateway.names.identity = named('alice.hawser.id')
    kit.streams[0]?.send({ identity: {} })
    await vi.waitFor(() => expect(accountOf(kit).profileName).toBe('alice.hawser.id'))
    expect(kit.hawser.push.getState().identityChanges).toBe(1)
  })

  it('in a gap of the stream is shown once it is open again', async () => {
    const kit = await following()
    kit.gateway.names.identity = named('alice.hawser.id')
    kit.streams[0]?.cut()
    await vi.waitFor(() => expect(isLive(kit)).toBe(false))
    await kit.clock.advance(1_000)
    await vi.waitFor(() => expect(accountOf(kit).profileName).toBe('alice.hawser.id'))
  })
})

describe('the stream', () => {
  it('follows the account to another network', async () => {
    const kit = await following()
    setActiveNetwork(kit.hawser, devnetTwo)
    await vi.waitFor(() => expect(kit.streams).toHaveLength(2))
    expect(kit.closed).toBe(1)
  })

  it.each([
    ['the visitor disconnects', ({ hawser }: Following) => disconnect(hawser)],
    ['the kit is unmounted', ({ unmount }: Following) => unmount()],
  ])('is closed when %s', async (_, leave) => {
    const kit = await following()
    await leave(kit)
    await kit.clock.advance(120_000)
    expect(isLive(kit)).toBe(false)
    expect(kit).toMatchObject({ closed: 1, streams: { length: 1 } })
  })

  it('is opened again when the instance is mounted again', async () => {
    const kit = await following()
    kit.unmount()
    kit.hawser.mount()
    await vi.waitFor(() => expect(kit.streams).toHaveLength(2))
  })

  it('is not opened on a chain that the gateway does not serve', async () => {
    const kit = await following()
    setActiveNetwork(kit.hawser, { ...devnetTwo, id: 5, caipNetworkId: 'eip155:5' })
    await kit.clock.advance(60_000)
    expect(kit.streams).toHaveLength(1)
  })
})

describe('a stream that breaks', () => {
  it('is opened again after a while that doubles, up to 30 seconds', async () => {
    const kit = await following()
    const waits: number[] = []
    kit.gateway.watch = () => {
      throw new TypeError('Failed to fetch')
    }
    const after = kit.clock.after
    kit.clock.after = (ms, task) => {
      if (ms !== PUSH_SILENCE_MS) waits.push(ms)
      return after(ms, task)
    }
    kit.streams[0]?.cut()
    await vi.waitFor(() => expect(isLive(kit)).toBe(false))
    await kit.clock.advance(120_000)
    for (const [index, longest] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(longest * 500)
      expect(waits[index]).toBeLessThanOrEqual(longest * 1_000)
    }
  })

  it('begins with everything again, so that nothing is missed', async () => {
    const kit = await following()
    kit.streams[0]?.cut()
    await vi.waitFor(() => expect(isLive(kit)).toBe(false))
    await kit.clock.advance(1_000)
    await vi.waitFor(() => expect(isLive(kit)).toBe(true))
    expect(kit.streams).toHaveLength(2)
  })

  it('is opened again when nothing came for 30 seconds, not even a sign of life', async () => {
    const kit = await following()
    await kit.clock.advance(29_000)
    kit.streams[0]?.send({ alive: {} })
    await settle()
    await kit.clock.advance(29_000)
    expect(kit).toMatchObject({ closed: 0, streams: { length: 1 } })
    await kit.clock.advance(1_000)
    expect(kit.closed).toBe(1)
    await vi.waitFor(() => expect(isLive(kit)).toBe(true))
    expect(kit.streams).toHaveLength(2)
  })

  it('before its first message is opened again as well', async () => {
    const kit = await following()
    kit.gateway.watch = (signal) => {
      const stream = openStream(signal)
      kit.streams.push(stream)
      return stream.body
    }
    await kit.clock.advance(30_000)
    await vi.waitFor(() => expect(kit.streams).toHaveLength(2))
    expect(isLive(kit)).toBe(false)
    await kit.clock.advance(30_000)
    await vi.waitFor(() => expect(kit.streams).toHaveLength(3))
  })

  it('is not opened again when the gateway has no such stream', async () => {
    const kit = await following()
    kit.streams[0]?.end({ code: 'unimplemented' })
    await vi.waitFor(() => expect(isLive(kit)).toBe(false))
    await kit.clock.advance(120_000)
    expect(kit.streams).toHaveLength(1)
  })

  it('is opened again at once when the network is back', async () => {
    const { go } = stubPage()
    const kit = await following()
    go('offline')
    expect(isLive(kit)).toBe(false)
    await kit.clock.advance(60_000)
    expect(kit.streams).toHaveLength(1)
    go('online')
    await vi.waitFor(() => expect(isLive(kit)).toBe(true))
  })
})

describe('a hidden tab', () => {
  it('has no stream, and one at once when the visitor comes back', async () => {
    const { turn } = stubPage()
    const kit = await following()
    turn(true)
    await kit.clock.advance(60_000)
    expect(kit).toMatchObject({ closed: 1, streams: { length: 1 } })
    turn(false)
    await vi.waitFor(() => expect(isLive(kit)).toBe(true))
  })
})

describe('polling', () => {
  it('is left to prices while the stream is open, and starts at once when it breaks', async () => {
    const kit = await following()
    const stop = watchBalances(kit.hawser)
    for (const requests of [0, 0, 0, 1]) {
      await kit.clock.advance(15_000)
      expect(balanceRequests(kit)).toHaveLength(requests)
      kit.streams[0]?.send({ alive: {} })
      await settle()
    }

    kit.streams[0]?.end({ code: 'unimplemented' })
    await vi.waitFor(() => expect(balanceRequests(kit)).toHaveLength(2))
    await kit.clock.advance(10_000)
    expect(balanceRequests(kit)).toHaveLength(3)
    stop()
  })
})
