import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { alice, bob, createMobileWallet } from '../testing/mobileWallet.ts'
import { connect, createLocks, openWorld, outcome, proposed, settle } from '../testing/world.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }))
afterEach(() => void vi.useRealTimers())

const message = '0x68656c6c6f'

describe('a session', () => {
  it('has what the wallet offers of what the site proposed', async () => {
    const { session, events, wallet } = await connect()
    expect(session.namespaces).toEqual({
      eip155: {
        chains: ['eip155:1'],
        accounts: [`eip155:1:${alice}`],
        methods: [
          'personal_sign',
          'eth_sendTransaction',
          'wallet_switchEthereumChain',
          'wallet_addEthereumChain',
          'wallet_getCapabilities',
          'eth_call',
        ],
        events: ['accountsChanged', 'chainChanged'],
      },
    })
    expect(events).toEqual(['asking', 'connected'])
    expect(wallet.methods()).toEqual(['eth_requestAccounts'])
  })

  it('is on a network of the site, to which the wallet switches', async () => {
    const { session } = await connect(
      openWorld({ wallet: createMobileWallet({ chain: 137, known: [1, 137] }) }),
    )
    expect(session.namespaces.eip155?.chains).toEqual(['eip155:1'])
  })

  it('is on the network of a wallet that does not know one of the site', async () => {
    const { session } = await connect(openWorld({ wallet: createMobileWallet({ chain: 137, known: [137] }) }))
    expect(session.namespaces.eip155?.chains).toEqual(['eip155:137'])
  })

  it('does not begin when the visitor shares no account, or the wallet has no such namespace', async () => {
    const declining = openWorld()
    declining.wallet.decisions.push('decline')
    const pending = await declining.site.handOff({ optionalNamespaces: proposed }, declining.gateway)
    const handoff = await declining.visit().claim(pending.id, declining.gateway)
    await settle()
    handoff.confirm()
    pending.confirm()
    const declined = outcome(pending.approval)
    await settle()
    expect(await declined).toBe(5000)
    expect(declining.events).toEqual(['asking', 'declined'])

    const other = openWorld()
    const solana = {
      solana: { chains: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'], methods: [], events: [] },
    }
    const unsupported = await other.site.handOff({ optionalNamespaces: solana }, other.gateway)
    const claimed = await other.visit().claim(unsupported.id, other.gateway)
    await settle()
    claimed.confirm()
    unsupported.confirm()
    const refused = outcome(unsupported.approval)
    await settle()
    expect(await refused).toBe(5100)
    expect(other.events).toEqual(['asking', 'unsupported'])
  })

  it('begins although the wallet loads the page again when it asks for accounts', async () => {
    const world = openWorld()
    world.wallet.decisions.push('never')
    const pending = await world.site.handOff({ optionalNamespaces: proposed }, world.gateway)
    const first = world.visit()
    const handoff = await first.claim(pending.id, world.gateway)
    await settle()
    first.records.setConfirmed(pending.id, true)
    handoff.confirm()
    pending.confirm()
    await settle()
    first.close()
    const second = world.visit()
    expect(second.records.isConfirmed(pending.id)).toBe(true)
    const again = await second.claim(pending.id, world.gateway)
    await settle(10_000)
    again.confirm()
    await settle()
    expect((await pending.approval).namespaces.eip155?.accounts).toEqual([`eip155:1:${alice}`])
    expect(second.live()).toMatchObject([
      { record: { id: pending.id, wallet: 'MetaMask', site: { origin: 'https://site.test' } } },
    ])
  })

  it('is resumed by a page that is opened again', async () => {
    const { sessions, visit, request, pending } = await connect()
    sessions.close()
    const again = visit()
    expect(again.live().map(({ record }) => record.id)).toEqual([pending.id])
    const signed = outcome(request('personal_sign', [message, alice]))
    await settle()
    again.decide(again.requests()[0]?.key ?? '', true)
    await settle()
    expect(await signed).toEqual({ result: '0x5161' })
  })

  it('is ended by either side', async () => {
    const first = await connect()
    await first.sessions.disconnect(first.session.topic)
    await settle()
    expect(first.site.sessions()).toEqual([])
    expect(first.sessions.live()).toEqual([])
    const second = await connect()
    await second.site.disconnect(second.session.topic)
    await settle()
    expect(second.sessions.live()).toEqual([])
  })
})

describe('a request', () => {
  it('is given to the wallet once the visitor has seen it', async () => {
    const { request, sessions, wallet, events } = await connect()
    const sent = outcome(request('eth_sendTransaction', [{ from: alice, to: bob, value: '0x1' }]))
    await settle(5_000)
    expect(sessions.requests()).toMatchObject([
      {
        method: 'eth_sendTransaction',
        chainId: 'eip155:1',
        isGiven: false,
        site: { origin: 'https://site.test' },
      },
    ])
    expect(wallet.methods()).toEqual(['eth_requestAccounts'])
    sessions.decide(sessions.requests()[0]?.key ?? '', true)
    await settle()
    expect(await sent).toEqual({ result: `0x${'77'.repeat(32)}` })
    expect(wallet.received.at(-1)).toEqual({
      method: 'eth_sendTransaction',
      params: [{ from: alice, to: bob, value: '0x1' }],
    })
    expect(sessions.requests()).toEqual([])
    expect(events.at(-1)).toBe('done')
  })

  it('keeps the code of the wallet, and that of the visitor who declines here', async () => {
    const { request, sessions, wallet, events } = await connect()
    wallet.decisions.push('decline')
    const inWallet = outcome(request('personal_sign', [message, alice]))
    await settle()
    sessions.decide(sessions.requests()[0]?.key ?? '', true)
    await settle()
    expect(await inWallet).toBe(4001)
    const here = outcome(request('personal_sign', [message, alice]))
    await settle()
    sessions.decide(sessions.requests()[0]?.key ?? '', false)
    await settle()
    expect(await here).toBe(4001)
    expect(wallet.methods().filter((method) => method === 'personal_sign')).toHaveLength(1)
    const unknown = outcome(request('eth_call', [{}]))
    await settle()
    expect(await unknown).toBe(-32601)
    expect(events.slice(2)).toEqual(['refused', 'refused'])
  })

  it('reaches the wallet once although the relay delivers everything twice', async () => {
    const world = openWorld()
    world.relay.duplicate()
    const { request, sessions, wallet } = await connect(world)
    const signed = outcome(request('personal_sign', [message, alice]))
    await settle()
    expect(sessions.requests()).toHaveLength(1)
    sessions.decide(sessions.requests()[0]?.key ?? '', true)
    await settle()
    expect(await signed).toEqual({ result: '0x5161' })
    expect(wallet.methods().filter((method) => method === 'personal_sign')).toHaveLength(1)
  })

  it('waits for a page that is loaded again before the visitor decides', async () => {
    const { request, sessions, visit, wallet } = await connect()
    const signed = outcome(request('personal_sign', [message, alice]))
    await settle()
    sessions.close()
    const again = visit()
    await settle()
    again.decide(again.requests()[0]?.key ?? '', true)
    await settle()
    expect(await signed).toEqual({ result: '0x5161' })
    expect(wallet.methods().filter((method) => method === 'personal_sign')).toHaveLength(1)
  })

  it('is not given again by a page that is loaded while the wallet is asked', async () => {
    const { request, sessions, visit, wallet, events } = await connect()
    wallet.decisions.push('never')
    const sent = outcome(request('eth_sendTransaction', [{ from: alice, to: bob }]))
    await settle()
    sessions.decide(sessions.requests()[0]?.key ?? '', true)
    await settle()
    sessions.close()
    const again = visit()
    await settle()
    expect(await sent).toBe(-32603)
    expect(again.requests()).toEqual([])
    expect(events.at(-1)).toBe('lost')
    expect(wallet.methods().filter((method) => method === 'eth_sendTransaction')).toHaveLength(1)
  })

  it('waits for the tab that asks the wallet when another tab is opened meanwhile', async () => {
    const locks = createLocks()
    const { request, sessions, visit, wallet, events } = await connect(openWorld(), proposed, locks)
    wallet.decisions.push('later')
    const sent = outcome(request('eth_sendTransaction', [{ from: alice, to: bob }]))
    await settle()
    sessions.decide(sessions.requests()[0]?.key ?? '', true)
    await settle()
    visit({}, locks)
    await settle(61_000)
    expect(await sent).toEqual({ result: `0x${'77'.repeat(32)}` })
    expect(events).not.toContain('lost')
    expect(wallet.methods().filter((method) => method === 'eth_sendTransaction')).toHaveLength(1)
  })

  it('is refused when too many of its site wait for the visitor, and none of another site', async () => {
    const first = await connect()
    const { request, sessions } = first
    const second = await connectAnother(first)
    for (let at = 0; at < 200; at += 1) void outcome(request('personal_sign', [`0x${at}`, alice]))
    await settle(1_000)
    const refused = outcome(request('personal_sign', [message, alice]))
    await settle()
    expect(await refused).toBe(-32005)
    for (let at = 0; at < 50; at += 1) void outcome(second('personal_sign', [`0x${at}`, alice]))
    await settle(1_000)
    expect(sessions.requests()).toHaveLength(250)
    const full = outcome(second('personal_sign', [message, alice]))
    await settle()
    expect(await full).toBe(-32005)
  })

  it('is not shown when it is not known which site the gateway named for its session', async () => {
    const { request, sessions, storage, visit, wallet } = await connect()
    sessions.close()
    storage.removeItem('handoffs')
    const again = visit()
    const signed = outcome(request('personal_sign', [message, alice]))
    await settle()
    expect(again.requests()).toEqual([])
    expect(await signed).toBe(4200)
    expect(wallet.methods()).not.toContain('personal_sign')
  })

  it('is answered once the relay is back', async () => {
    const { request, sessions, relay } = await connect()
    const signed = outcome(request('personal_sign', [message, alice]))
    await settle()
    relay.stop()
    sessions.decide(sessions.requests()[0]?.key ?? '', true)
    await settle(90_000)
    relay.start()
    await settle(30_000)
    expect(await signed).toEqual({ result: '0x5161' })
  })

  it('goes away when the site no longer waits for it', async () => {
    const { request, sessions } = await connect()
    const expired = outcome(request('personal_sign', [message, alice]))
    await settle()
    expect(sessions.requests()).toHaveLength(1)
    await settle(301_000)
    expect(sessions.requests()).toEqual([])
    await settle(20_000)
    expect(await expired).toBe(8000)
  })

  it('is one of 200 that are all answered, each once and in order', async () => {
    const { request, sessions, wallet } = await connect()
    const answers = Array.from({ length: 200 }, (_, at) =>
      outcome(request('personal_sign', [`0x${at}`, alice])),
    )
    await settle(1_000)
    expect(sessions.requests()).toHaveLength(200)
    for (let at = 0; at < 200; at++) {
      sessions.decide(sessions.requests()[0]?.key ?? '', true)
      await settle(20)
    }
    await settle(1_000)
    expect(new Set((await Promise.all(answers)).map((answer) => JSON.stringify(answer)))).toEqual(
      new Set(['{"result":"0x5161"}']),
    )
    const signed = wallet.received.filter(({ method }) => method === 'personal_sign')
    expect(signed.map(({ params }) => params[0])).toEqual(Array.from({ length: 200 }, (_, at) => `0x${at}`))
  })

  it('carries a payload of 700 KiB', async () => {
    const { request, sessions, wallet } = await connect()
    const long = `0x${'61'.repeat(350 * 1024)}`
    const signed = outcome(request('personal_sign', [long, alice]))
    await settle()
    sessions.decide(sessions.requests()[0]?.key ?? '', true)
    await settle()
    expect(await signed).toEqual({ result: '0x5161' })
    expect(wallet.received.at(-1)?.params[0]).toBe(long)
  })
})

describe('a network', () => {
  it('is in the session before the site hears that the wallet has switched to it', async () => {
    const { request, session, site } = await connect()
    const switched = outcome(request('wallet_switchEthereumChain', [{ chainId: '0xa' }]))
    await settle()
    expect(await switched).toEqual({ result: null })
    const [now] = site.sessions()
    expect(now?.topic).toBe(session.topic)
    expect(now?.namespaces.eip155?.accounts).toEqual([`eip155:1:${alice}`, `eip155:10:${alice}`])
  })

  it('that the wallet does not know is refused with 4902, and can be added', async () => {
    const { request, site } = await connect()
    const unknown = outcome(request('wallet_switchEthereumChain', [{ chainId: '0x89' }]))
    await settle()
    expect(await unknown).toBe(4902)
    const added = outcome(request('wallet_addEthereumChain', [{ chainId: '0x89', chainName: 'Polygon' }]))
    await settle()
    expect(await added).toEqual({ result: null })
    expect(site.sessions()[0]?.namespaces.eip155?.chains).toContain('eip155:137')
  })

  it('of a request is the wallet’s before it is asked', async () => {
    const { request, sessions, wallet } = await connect()
    await outcome(Promise.all([request('wallet_switchEthereumChain', [{ chainId: '0xa' }]), settle()]))
    const signed = outcome(request('personal_sign', [message, alice], 'eip155:1'))
    await settle()
    sessions.decide(sessions.requests()[0]?.key ?? '', true)
    await settle()
    expect(await signed).toEqual({ result: '0x5161' })
    expect(wallet.received.slice(-2)).toEqual([
      { method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] },
      { method: 'personal_sign', params: [message, alice] },
    ])
  })
})

describe('a change in the wallet', () => {
  it('of the account reaches the site, but not the lock', async () => {
    const event = vi.fn()
    const { wallet, site } = await connect(openWorld({ listener: { event } }))
    wallet.setAccounts([bob, alice])
    await settle()
    expect(site.sessions()[0]?.namespaces.eip155?.accounts).toEqual([`eip155:1:${bob}`, `eip155:1:${alice}`])
    const told = { name: 'accountsChanged', data: [bob, alice] }
    expect(event).toHaveBeenCalledExactlyOnceWith(expect.anything(), told, 'eip155:1')
    wallet.setAccounts([])
    await settle()
    expect(site.sessions()[0]?.namespaces.eip155?.accounts).toHaveLength(2)
  })

  it('of the network reaches the site', async () => {
    const event = vi.fn()
    const { wallet, site } = await connect(openWorld({ listener: { event } }))
    wallet.setChain(10)
    await settle()
    expect(site.sessions()[0]?.namespaces.eip155?.chains).toEqual(['eip155:1', 'eip155:10'])
    expect(event).toHaveBeenCalledExactlyOnceWith(
      expect.anything(),
      { name: 'chainChanged', data: 10 },
      'eip155:10',
    )
  })

  it('while the page was closed reaches the site when it is opened again', async () => {
    const { wallet, site, sessions, visit } = await connect()
    sessions.close()
    wallet.accounts = [bob]
    visit()
    await settle()
    expect(site.sessions()[0]?.namespaces.eip155?.accounts).toEqual([`eip155:1:${bob}`])
  })
})

it('several sites have a session each', async () => {
  const first = await connect()
  const second = await connectAnother(first)
  expect(first.sessions.live()).toHaveLength(2)
  const answers = [first.request, second].map((request) =>
    outcome(request('personal_sign', [message, alice])),
  )
  await settle()
  expect(first.sessions.requests()).toHaveLength(2)
  for (const { key } of first.sessions.requests()) first.sessions.decide(key, true)
  await settle()
  expect(await Promise.all(answers)).toEqual([{ result: '0x5161' }, { result: '0x5161' }])
})

/** Connects another site with a wallet page. Returns its requests. */
async function connectAnother({ site, gateway, sessions }: Awaited<ReturnType<typeof connect>>) {
  const pending = await site.handOff({ optionalNamespaces: proposed }, gateway)
  const handoff = await sessions.claim(pending.id, gateway)
  await settle()
  handoff.confirm()
  pending.confirm()
  await settle()
  const { topic } = await pending.approval
  return (method: string, params: unknown, chainId = 'eip155:1') =>
    site.request({ topic, chainId, method, params })
}

describe('two sites on two networks', () => {
  it('each have their requests on their own, however often the other one switches', async () => {
    const first = await connect()
    const { request, sessions, wallet } = first
    const second = await connectAnother(first)
    const chains: string[] = []
    const { request: give } = wallet
    wallet.request = async (given) => {
      // Each answer takes as long as the page needs for another request.
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (given.method === 'personal_sign') chains.push(String(await give({ method: 'eth_chainId' })))
      return give(given)
    }
    const signed = outcome(request('personal_sign', [message, alice], 'eip155:1'))
    await settle()
    sessions.decide(sessions.requests()[0]?.key ?? '', true)
    for (let at = 0; at < 10; at += 1) {
      void outcome(second('wallet_switchEthereumChain', [{ chainId: '0xa' }]))
      await settle(3)
    }
    await settle(2_000)
    expect(await signed).toEqual({ result: '0x5161' })
    expect(chains).toEqual(['0x1'])
  })

  it('do not wait for a switch that is never decided', async () => {
    const first = await connect()
    const { request, sessions, wallet } = first
    const second = await connectAnother(first)
    const { request: give } = wallet
    wallet.request = async (given) =>
      given.method === 'wallet_switchEthereumChain' ? new Promise(() => undefined) : give(given)
    void outcome(second('wallet_switchEthereumChain', [{ chainId: '0xa' }]))
    await settle()
    const signed = outcome(request('personal_sign', [message, alice]))
    await settle()
    sessions.decide(sessions.requests()[0]?.key ?? '', true)
    await settle(61_000)
    expect(await signed).toEqual({ result: '0x5161' })
  })

  it('are not asked on another network by a wallet that only says that it has switched', async () => {
    const { request, sessions, wallet } = await connect()
    await outcome(Promise.all([request('wallet_switchEthereumChain', [{ chainId: '0xa' }]), settle()]))
    const { request: give } = wallet
    wallet.request = async (given) => (given.method === 'wallet_switchEthereumChain' ? null : give(given))
    const signed = outcome(request('personal_sign', [message, alice], 'eip155:1'))
    await settle()
    sessions.decide(sessions.requests()[0]?.key ?? '', true)
    await settle()
    expect(await signed).toBe(4902)
    expect(wallet.methods()).not.toContain('personal_sign')
  })

  it('read from the wallet without a switch to the network that they were on', async () => {
    const { request, wallet } = await connect()
    await outcome(Promise.all([request('wallet_switchEthereumChain', [{ chainId: '0xa' }]), settle()]))
    const read = outcome(request('wallet_getCapabilities', [alice], 'eip155:1'))
    await settle()
    expect(await read).toBe(-32601)
    expect(await wallet.request({ method: 'eth_chainId' })).toBe('0xa')
  })
})
