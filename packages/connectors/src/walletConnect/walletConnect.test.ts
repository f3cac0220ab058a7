import type { Connector, ConnectorContext, Namespace, Network, Pairing } from '@hawser/core'
import {
  account,
  approved,
  createStorage,
  createTestGateway,
  createTestRelay,
  createWallet,
  type TestGateway,
} from '@hawser/walletconnect/testing'
import type { WalletListener, WalletRequest } from '@hawser/walletconnect/wallet'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type WalletConnectOptions, walletConnect } from './walletConnect.ts'

const address = account('').slice(1)

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const network = (id: number) => ({ id, caipNetworkId: `eip155:${id}`, chainNamespace: 'eip155' }) as Network

/** Returns the main network of a namespace without EIP-1193. */
const mainnet = (chainNamespace: Namespace, reference: string) =>
  ({ id: reference, caipNetworkId: `${chainNamespace}:${reference}`, chainNamespace }) as Network

/** Opens a page with the connector, and with a relay of the test behind every WebSocket. */
function openPage(
  options: WalletConnectOptions = {},
  storage = createStorage(),
  relay = createTestRelay('ws://gateway.test/v1/relay'),
  namespaces: readonly Namespace[] = ['eip155'],
) {
  const node = vi.fn(async (method: string): Promise<unknown> => `node ${method}`)
  const given = {
    add: vi.fn<(connector: Connector) => void>(),
    remove: vi.fn(),
    projectId: 'ab'.repeat(16),
    gatewayUrl: 'http://gateway.test',
    metadata: { name: 'site', description: '', url: 'https://site.test', icons: [] },
    storage,
    log: vi.fn(),
    namespaces: () => namespaces,
    networkId: () => 'eip155:31337' as const,
    node: vi.fn(() => node),
    relayRefused: vi.fn(),
    openWallet: vi.fn<ConnectorContext['openWallet']>(),
  } satisfies ConnectorContext
  vi.stubGlobal('WebSocket', function WebSocket(url: string) {
    return relay.openSocket(url)
  })
  const close = walletConnect(options)(given)
  const connector = given.add.mock.calls[0]?.[0] as Required<Connector<'eip155'>>
  return { ...given, rpc: node, connector, close, relay, storage }
}

type Page = ReturnType<typeof openPage>

async function connectWallet(
  page: Page,
  listener: WalletListener = {},
  networks = [network(10), network(1)],
) {
  const pairing: Pairing = await page.connector.pair({ networks })
  const wallet = createWallet([page.relay], listener)
  wallet.pair(pairing.uri)
  const session = await pairing.approval
  const provider = await page.connector.getProvider()
  return { wallet, session, provider }
}

describe('the connector', () => {
  it('is listed without a socket or a session', async () => {
    const { connector, relay } = openPage()
    expect(connector).toMatchObject({ id: 'walletConnect', type: 'WALLET_CONNECT', relays: ['own'] })
    await expect(connector.getSession()).resolves.toBeUndefined()
    expect(relay.opened).toEqual([])
  })

  it('says that the public relay is offered as well', () => {
    const publicRelay = { url: 'wss://public.test', projectId: 'cd'.repeat(16) }
    expect(openPage({ publicRelay }).connector.relays).toEqual(['own', 'public'])
  })

  it('offers a pairing on the relay of the gateway', async () => {
    const { connector, relay } = openPage()
    const { uri, expiresAt, cancel, approval } = await connector.pair({ networks: [network(1)] })
    expect(uri).toMatch(/^wc:/)
    expect(expiresAt).toBe(Date.now() + 300_000)
    await vi.advanceTimersByTimeAsync(10)
    expect(relay.opened[0]).toMatch(/^ws:\/\/gateway\.test\/v1\/relay\?/)
    cancel()
    await expect(approval).rejects.toMatchObject({ code: 6000 })
  })

  it('cancels a pairing when its signal is aborted', async () => {
    const stop = new AbortController()
    const { connector } = openPage()
    const { approval } = await connector.pair({ networks: [network(1)], signal: stop.signal })
    stop.abort()
    await expect(approval).rejects.toMatchObject({ code: 6000 })
  })

  it('reports what the wallet approved', async () => {
    const page = openPage()
    const { session } = await connectWallet(page)
    expect(session).toMatchObject({
      accounts: [account('eip155:1')],
      approvedNetworkIds: ['eip155:1'],
      supportsAllNetworks: false,
      methods: approved.eip155?.methods,
      peer: { name: 'wallet', url: 'https://wallet.test', icons: [] },
    })
    await expect(page.connector.getSession()).resolves.toEqual(session)
  })

  it('restores the session on the next visit, and the wallet reaches it', async () => {
    const page = openPage()
    const { wallet, session } = await connectWallet(page)
    page.close()
    const next = openPage({}, page.storage, page.relay)
    await expect(next.connector.getSession()).resolves.toEqual(session)
    const provider = await next.connector.getProvider()
    await expect(provider.request({ method: 'eth_accounts' })).resolves.toEqual([address])
    await wallet.ping(session.topic)
  })

  it('leaves the connected wallet reachable when it is stopped, as by a modal that is mounted again', async () => {
    const page = openPage()
    const { provider } = await connectWallet(page, {
      requested: ({ respond }: WalletRequest) => void respond('0x01'),
    })
    page.close()
    await vi.advanceTimersByTimeAsync(100)
    const request = { method: 'personal_sign', params: ['0x00', address] }
    await expect(provider.request(request)).resolves.toBe('0x01')
  })

  it('is listed for each namespace of the site, and proposes their networks at once', async () => {
    const page = openPage({}, undefined, undefined, ['eip155', 'solana', 'bip122', 'polkadot'])
    expect(page.add.mock.calls.map(([{ id, chain }]) => [id, chain])).toEqual([
      ['walletConnect', 'eip155'],
      ['walletConnect', 'solana'],
      ['walletConnect', 'bip122'],
      ['walletConnect', 'polkadot'],
    ])
    const proposals: unknown[] = []
    await connectWallet(
      page,
      {
        proposed({ optionalNamespaces, approve }) {
          proposals.push(optionalNamespaces)
          void approve({ namespaces: approved })
        },
      },
      [
        network(1),
        mainnet('solana', '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'),
        mainnet('bip122', '000000000019d6689c085ae165831e93'),
        mainnet('polkadot', '91b171bb158e2d3848fa23a9f1c25182'),
      ],
    )
    const events = ['accountsChanged', 'chainChanged']
    expect(proposals).toMatchObject([
      {
        eip155: { chains: ['eip155:1'], methods: expect.arrayContaining(['personal_sign']), events },
        solana: {
          // Wallets that use the older id of the network find it too.
          chains: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ'],
          methods: expect.arrayContaining(['solana_signTransaction']),
          events,
        },
        bip122: {
          chains: ['bip122:000000000019d6689c085ae165831e93'],
          methods: ['sendTransfer', 'getAccountAddresses', 'signMessage', 'signPsbt'],
          events: [...events, 'bip122_addressesChanged'],
        },
        polkadot: {
          chains: ['polkadot:91b171bb158e2d3848fa23a9f1c25182'],
          methods: ['polkadot_signMessage', 'polkadot_signTransaction'],
          events,
        },
      },
    ])
  })

  it('reports the accounts of an older network id under the id of today', async () => {
    const page = openPage({}, undefined, undefined, ['solana'])
    const alice = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
    const accounts = [`solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ:${alice}`]
    const methods = ['solana_signMessage']
    const { session } = await connectWallet(
      page,
      {
        proposed: ({ approve }) =>
          void approve({ namespaces: { solana: { accounts, methods, events: [] } } }),
      },
      [mainnet('solana', '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')],
    )
    expect(session).toMatchObject({
      accounts: [`solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${alice}`],
      approvedNetworkIds: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    })
  })

  it('ends an earlier session when another wallet is paired', async () => {
    const deleted = vi.fn()
    const page = openPage()
    await connectWallet(page, { deleted })
    const { session } = await connectWallet(page)
    await vi.advanceTimersByTimeAsync(100)
    expect(deleted).toHaveBeenCalledOnce()
    await expect(page.connector.getSession()).resolves.toEqual(session)
  })

  it('ends the session in the wallet', async () => {
    const deleted = vi.fn()
    const page = openPage()
    const { provider } = await connectWallet(page, { deleted })
    await page.connector.disconnect()
    await vi.advanceTimersByTimeAsync(100)
    expect(deleted).toHaveBeenCalledOnce()
    await expect(provider.request({ method: 'eth_accounts' })).resolves.toEqual([])
  })

  it('offers no pairing that no relay accepts', async () => {
    const page = openPage()
    page.relay.stop()
    const offered = expect(page.connector.pair({ networks: [network(1)] })).rejects.toMatchObject({
      code: 6000,
    })
    await vi.advanceTimersByTimeAsync(15_000)
    await offered
  })

  it('reports that a relay refuses the page', async () => {
    const page = openPage()
    page.relay.refuse('Unauthorized: origin not allowed')
    await expect(page.connector.pair({ networks: [network(1)] })).rejects.toMatchObject({ refusal: 'origin' })
    expect(page.relayRefused).toHaveBeenCalledExactlyOnceWith('origin')
  })
})

/** Serves hand-offs as the gateway does, in the protocol of Connect. Returns the calls. */
function serveHandoffs(gateway: TestGateway) {
  const bytes = (digits: string) => Buffer.from(digits, 'hex').toString('base64')
  const procedures: Record<string, (body: Record<string, string>) => Promise<object>> = {
    async CreateHandoff({ commitment = '' }) {
      const created = await gateway.create(Buffer.from(commitment, 'base64').toString('hex'))
      const { id, secret, expiresAt } = created
      return { id, secret, expiresAt: new Date(expiresAt).toISOString() }
    },
    async GetHandoff({ id = '', secret = '' }) {
      const { walletKey, refusedClaims } = await gateway.find(id, secret)
      // Connect leaves out fields that are zero.
      return {
        ...(walletKey && { publicKey: bytes(walletKey) }),
        ...(refusedClaims > 0 && { refusedClaims }),
      }
    },
  }
  const request = vi.fn(async (url: string, init: RequestInit) => {
    const [, procedure = ''] = /HandoffService\/(\w+)\?projectId=(?:ab){16}$/.exec(url) ?? []
    return Response.json(await procedures[procedure]?.(JSON.parse(String(init.body))))
  })
  vi.stubGlobal('fetch', request)
  vi.stubGlobal('location', { origin: 'https://site.test' })
  return request
}

describe('a hand-off', () => {
  const testGateway = () => createTestGateway(() => Date.now(), { projectId: 'ab'.repeat(16) })

  it('connects the browser of a wallet through the relay of the gateway', async () => {
    const gateway = testGateway()
    const calls = serveHandoffs(gateway)
    const page = openPage()
    const handoff = await page.connector.handOff({ networks: [network(1)] })
    const id = /^http:\/\/gateway\.test\/open\/([\w-]{22})$/.exec(handoff.uri)?.[1] ?? ''
    expect(handoff.expiresAt).toBe(Date.now() + 240_000)
    const wallet = createWallet([page.relay])
    const claimed = await wallet.claim(id, gateway)
    await vi.advanceTimersByTimeAsync(100)
    expect(await handoff.digits).toBe(await claimed.digits)
    claimed.confirm()
    handoff.confirm()
    await vi.advanceTimersByTimeAsync(100)
    await expect(handoff.approval).resolves.toMatchObject({ accounts: [account('eip155:1')] })
    expect(await page.connector.getSession()).toBeDefined()
    expect(calls).toHaveBeenCalledTimes(2)
  })

  it('tells of a second device that opened its page', async () => {
    const gateway = testGateway()
    serveHandoffs(gateway)
    const page = openPage()
    const handoff = await page.connector.handOff({ networks: [network(1)] })
    const [id = ''] = handoff.uri.split('/').slice(-1)
    await createWallet([page.relay]).claim(id, gateway)
    const late = createWallet([page.relay]).claim(id, gateway)
    await expect(late).rejects.toThrow('another device')
    await vi.advanceTimersByTimeAsync(5_000)
    await expect(handoff.secondScan).resolves.toBeUndefined()
  })

  it('is refused with the code of the gateway, and the developer is told of the origin', async () => {
    const refuse = async () => Response.json({ code: 'permission_denied' }, { status: 403 })
    vi.stubGlobal('fetch', refuse)
    const page = openPage()
    await expect(page.connector.handOff({ networks: [network(1)] })).rejects.toMatchObject({
      code: 'permission_denied',
    })
    expect(page.relayRefused).toHaveBeenCalledExactlyOnceWith('origin')
  })

  it('is cancelled by its signal', async () => {
    serveHandoffs(testGateway())
    const stop = new AbortController()
    const { approval, digits } = await openPage().connector.handOff({
      networks: [network(1)],
      signal: stop.signal,
    })
    stop.abort()
    await expect(approval).rejects.toMatchObject({ code: 6000 })
    await expect(digits).rejects.toMatchObject({ code: 6000 })
  })

  it('is not offered with a relay that is not the gateway’s', () => {
    expect(openPage({ relayUrl: 'wss://relay.test' }).connector.handOff).toBeUndefined()
  })
})

describe('the provider', () => {
  const signs = { requested: ({ method, respond }: WalletRequest) => void respond(`wallet ${method}`) }

  it('has the accounts of the session, on the first requested network that was approved', async () => {
    const { provider } = await connectWallet(openPage())
    await expect(provider.request({ method: 'eth_requestAccounts' })).resolves.toEqual([address])
    await expect(provider.request({ method: 'eth_chainId' })).resolves.toBe('0x1')
    await expect(provider.request({ method: 'net_version' })).resolves.toBe('1')
  })

  it('has none without a session', async () => {
    const provider = await openPage().connector.getProvider()
    await expect(provider.request({ method: 'eth_accounts' })).resolves.toEqual([])
    for (const method of ['eth_requestAccounts', 'personal_sign']) {
      await expect(provider.request({ method })).rejects.toMatchObject({ code: 4100 })
    }
  })

  it('sends signatures to the wallet, and opens its app', async () => {
    const page = openPage()
    const { provider, session } = await connectWallet(page, signs)
    await expect(provider.request({ method: 'personal_sign', params: ['0x00', address] })).resolves.toBe(
      'wallet personal_sign',
    )
    expect(page.openWallet).toHaveBeenCalledExactlyOnceWith({
      id: expect.any(Number),
      topic: session.topic,
      answered: expect.any(Promise),
      ping: expect.any(Function),
    })
    const [waiting] = page.openWallet.mock.calls[0] ?? []
    await expect(waiting?.answered).resolves.toBeUndefined()
    await expect(waiting?.ping()).resolves.toBeUndefined()
  })

  it('reads from the nodes of the site', async () => {
    const page = openPage()
    const { provider } = await connectWallet(page, signs)
    await expect(provider.request({ method: 'eth_getBalance', params: [address] })).resolves.toBe(
      'node eth_getBalance',
    )
    expect(page.node).toHaveBeenCalledWith('eip155:1')
    expect(page.rpc).toHaveBeenCalledWith('eth_getBalance', [address])
  })

  for (const [code, mapped] of [
    [5000, 4001],
    [5002, 4001],
    [4001, 4001],
    [4902, 4902],
    [-32000, -32000],
  ] as const) {
    it(`rejects with ${mapped} when the wallet answers ${code}`, async () => {
      const { provider } = await connectWallet(openPage(), {
        requested: ({ reject }) => void reject({ code, message: 'no' }),
      })
      await expect(provider.request({ method: 'personal_sign' })).rejects.toMatchObject({ code: mapped })
    })
  }

  it('rejects what the session does not allow, and sends nothing to the wallet', async () => {
    const { provider } = await connectWallet(openPage(), signs)
    for (const method of [
      'wallet_sendCalls',
      'wallet_getCapabilities',
      'eth_signTypedData_v4',
      'custom_method',
    ]) {
      await expect(provider.request({ method })).rejects.toMatchObject({ code: 4200 })
    }
  })

  it('rejects with 4900 when the relay is not reached', async () => {
    const page = openPage()
    const { provider } = await connectWallet(page, signs)
    page.relay.stop()
    const result = expect(provider.request({ method: 'personal_sign' })).rejects.toMatchObject({ code: 4900 })
    await vi.advanceTimersByTimeAsync(60_000)
    await result
  })

  it('answers capabilities from the properties of the session', async () => {
    const capabilities = { '0x1': { atomic: { status: 'supported' } } }
    const { provider } = await connectWallet(openPage(), {
      proposed: ({ approve }) =>
        void approve({
          namespaces: approved,
          sessionProperties: { capabilities: JSON.stringify(capabilities) },
        }),
    })
    await expect(provider.request({ method: 'wallet_getCapabilities' })).resolves.toEqual(capabilities)
  })

  describe('on another network', () => {
    const both = {
      eip155: {
        ...approved.eip155,
        methods: [...(approved.eip155?.methods ?? []), 'wallet_switchEthereumChain'],
        accounts: [account('eip155:1'), account('eip155:10')],
      },
    } as typeof approved
    const approvesBoth: WalletListener = { proposed: ({ approve }) => void approve({ namespaces: both }) }
    const switchTo = (chainId: string) => ({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })

    it('switches by itself among those of the session, and keeps the choice', async () => {
      const page = openPage()
      const { provider } = await connectWallet(page, approvesBoth)
      const changed = vi.fn()
      provider.on?.('chainChanged', changed)
      await expect(provider.request({ method: 'eth_chainId' })).resolves.toBe('0xa')
      await provider.request(switchTo('0x1'))
      expect(changed).toHaveBeenCalledExactlyOnceWith('0x1')
      page.close()
      const next = await openPage({}, page.storage, page.relay).connector.getProvider()
      await expect(next.request({ method: 'eth_chainId' })).resolves.toBe('0x1')
    })

    it('is refused with 4902 when the session does not have it', async () => {
      const { provider } = await connectWallet(openPage(), signs)
      await expect(provider.request(switchTo('0x89'))).rejects.toMatchObject({ code: 4902 })
    })

    it('is added by a wallet that can', async () => {
      const third = {
        eip155: { ...both.eip155, accounts: [...(both.eip155?.accounts ?? []), account('eip155:137')] },
      } as typeof approved
      const { provider, wallet, session } = await connectWallet(openPage(), {
        ...approvesBoth,
        async requested({ respond }) {
          await wallet.update(session.topic, third)
          await respond(null)
        },
      })
      await provider.request(switchTo('0x89'))
      await expect(provider.request({ method: 'eth_chainId' })).resolves.toBe('0x89')
    })
  })

  describe('events', () => {
    async function listen(page: Page = openPage()) {
      const parts = await connectWallet(page)
      const heard: [string, unknown][] = []
      for (const event of ['accountsChanged', 'chainChanged', 'disconnect']) {
        parts.provider.on?.(event, (payload) => void heard.push([event, payload]))
      }
      return { ...parts, heard }
    }

    it('changes accounts and network when the wallet updates the session', async () => {
      const { wallet, session, heard } = await listen()
      const moved = {
        eip155: { ...approved.eip155, chains: ['eip155:10'], accounts: [account('eip155:10')] },
      }
      await wallet.update(session.topic, moved as typeof approved)
      expect(heard).toEqual([
        ['chainChanged', '0xa'],
        ['accountsChanged', [address]],
      ])
    })

    it('ignores a network and an account that were not approved', async () => {
      const { wallet, session, heard, provider } = await listen()
      const other = `0x${'99'.repeat(20)}`
      await wallet.emit(session.topic, { name: 'chainChanged', data: 10 }, 'eip155:1')
      await wallet.emit(session.topic, { name: 'accountsChanged', data: [other] }, 'eip155:1')
      await vi.advanceTimersByTimeAsync(100)
      expect(heard).toEqual([['accountsChanged', [address]]])
      await expect(provider.request({ method: 'eth_chainId' })).resolves.toBe('0x1')
    })

    it('disconnects when the wallet ends the session', async () => {
      const { wallet, session, heard, provider } = await listen()
      await wallet.disconnect(session.topic)
      expect(heard).toEqual([['disconnect', expect.objectContaining({ code: 4900 })]])
      await expect(provider.request({ method: 'eth_accounts' })).resolves.toEqual([])
    })
  })
})
