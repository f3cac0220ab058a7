import { afterEach, describe, expect, it, vi } from 'vitest'
import { switchNamespace } from '../chain/activeNetwork.ts'
import { selectConnector } from '../connection/connect.ts'
import { openModal } from '../modal/modal.ts'
import { defineNetwork } from '../network/network.ts'
import { createFakeClock } from '../testing/fakeClock.ts'
import { createFakeRelayWallet } from '../testing/fakeRelayWallet.ts'
import { createFakeWallet } from '../testing/fakeWallet.ts'
import { createKit, type Kit, offer } from '../testing/kit.ts'
import type { Connector, RecentWallet, Relay } from '../types/connector.ts'
import { fetchMoreWallets, fetchOfferedWallets, searchWallets } from './fetchWallets.ts'
import { connectorOf, isReachable, needsPublicRelay } from './offered.ts'
import { recommendedCount, type WalletRow, walletRows } from './rows.ts'
import { selectWallet } from './selectWallet.ts'

const entry = (n: number, fields: Record<string, unknown> = {}) => ({
  id: String(n).padStart(64, '0'),
  name: `Wallet ${n}`,
  relays: ['public'],
  ...fields,
})
const ninety = Array.from({ length: 90 }, (_, n) => entry(n + 1))
const directory = (kit: Kit) => kit.hawser.directory.getState()
const names = (wallets: readonly RecentWallet[]) => wallets.map(({ name }) => name)

function createDirectoryKit(options: Parameters<typeof createKit>[0] = {}, wallets = ninety): Kit {
  const kit = createKit(options)
  kit.gateway.wallets = wallets
  return kit
}

describe('the wallets that are offered', () => {
  it('are four recommended ones, with the size of the directory', async () => {
    const kit = createDirectoryKit()
    await fetchOfferedWallets(kit.hawser)
    expect(names(directory(kit).recommended)).toEqual(['Wallet 1', 'Wallet 2', 'Wallet 3', 'Wallet 4'])
    expect(directory(kit).count).toBe(90)
  })

  it('are first those that the site features, in its order', async () => {
    const [one, two] = [entry(7), entry(3)]
    const kit = createDirectoryKit({ featuredWalletIds: [one.id, two.id] })
    await fetchOfferedWallets(kit.hawser)
    expect(names(directory(kit).featured)).toEqual(['Wallet 7', 'Wallet 3'])
    expect(names(directory(kit).recommended)).not.toContain('Wallet 3')
    expect(directory(kit).count).toBe(90)
  })

  it('are only those that the site includes, without those that it excludes', async () => {
    const kit = createDirectoryKit({
      includeWalletIds: [entry(1).id, entry(2).id, entry(3).id],
      excludeWalletIds: [entry(2).id],
    })
    await fetchOfferedWallets(kit.hawser)
    expect(names(directory(kit).recommended)).toEqual(['Wallet 1', 'Wallet 3'])
  })

  it('are requested once, and again after a failure', async () => {
    const kit = createDirectoryKit()
    kit.gateway.status = 503
    await fetchOfferedWallets(kit.hawser)
    expect(directory(kit).count).toBeUndefined()
    kit.gateway.status = 200
    await Promise.all([fetchOfferedWallets(kit.hawser), fetchOfferedWallets(kit.hawser)])
    await fetchOfferedWallets(kit.hawser)
    expect(kit.gateway.requests).toHaveLength(2)
  })

  it('are those of the namespace in use', async () => {
    const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }
    const mainnet = defineNetwork({ id: 1, name: 'Ethereum', nativeCurrency: ether })
    const solana = defineNetwork({
      id: 'main',
      name: 'Solana',
      chainNamespace: 'solana',
      nativeCurrency: { name: 'SOL', symbol: 'SOL', decimals: 9 },
    })
    const kit = createDirectoryKit({ networks: [mainnet, solana] })
    await fetchOfferedWallets(kit.hawser)
    await fetchMoreWallets(kit.hawser)
    switchNamespace(kit.hawser, 'solana')
    await fetchOfferedWallets(kit.hawser)
    await fetchMoreWallets(kit.hawser)
    const asked = kit.gateway.requests.map((request) => /chains=(\w+)/.exec(request)?.[1])
    expect(asked).toEqual(['eip155', 'eip155', 'solana', 'solana'])
    expect(directory(kit).all).toMatchObject({ page: 1, wallets: { length: 40 } })
  })

  it('lose links that are no web addresses, and entries without a name', async () => {
    const kit = createDirectoryKit({}, [
      entry(1, {
        homepage: 'javascript:alert(1)',
        app_store: 'http://store.test',
        browser_link: 'x:y',
        browser_scheme: 'javascript://alert(1)',
      }),
      entry(2, { name: '\u200b' }),
      entry(3, {
        mobile_link: 'three://',
        browser_scheme: 'three://open?url={url}',
        rdns: 'test.three',
        badge_type: 'certified',
        relays: ['own', 'mars'],
      }),
    ])
    await fetchOfferedWallets(kit.hawser)
    expect(directory(kit).recommended).toEqual([
      { id: entry(1).id, name: 'Wallet 1', links: {}, relays: ['public'], isCertified: false },
      {
        id: entry(3).id,
        name: 'Wallet 3',
        rdns: 'test.three',
        browserScheme: 'three://open?url={url}',
        links: { mobile: 'three://' },
        relays: ['own'],
        isCertified: true,
      },
    ])
  })
})

describe('where wallets can be paired', () => {
  const links = { browser_link: 'https://wallet.test/{url}' }
  const everyWay = [
    entry(1, { relays: ['own'] }),
    entry(2, { relays: ['public'] }),
    entry(3, { relays: ['public'], ...links }),
    entry(4, { relays: [], ...links }),
    entry(5, { relays: [], browser_scheme: 'wallet://{url}' }),
    entry(6, { relays: [] }),
  ]
  const android = { userAgent: 'Mozilla/5.0 (Linux; Android 15)' }
  const desk = { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' }
  afterEach(() => void vi.unstubAllGlobals())

  function pairingOf(relays: readonly Relay[], hasHandOffs = true): Connector {
    const { handOff, ...connector } = createFakeRelayWallet(() => createFakeClock(), relays).connector
    return hasHandOffs && handOff ? { ...connector, handOff } : connector
  }
  function createPairingKit(connector: Connector, options: Parameters<typeof createKit>[0] = {}): Kit {
    const kit = createDirectoryKit(options, everyWay)
    kit.hawser.connectors.setState({ allConnectors: [connector] })
    return kit
  }

  it.each([
    ['at a desk', desk, pairingOf(['own']), [1, 3, 4]],
    ['at a desk without hand-offs', desk, pairingOf(['own'], false), [1]],
    ['at a desk with the public relay', desk, pairingOf(['own', 'public']), [1, 2, 3, 4]],
    ['on a phone', android, pairingOf(['own'], false), [1, 3, 4, 5]],
    ['on a phone with the public relay', android, pairingOf(['own', 'public']), [1, 2, 3, 4, 5]],
  ])('those are offered and listed that can be reached %s', async (_, browser, connector, reached) => {
    vi.stubGlobal('navigator', browser)
    const kit = createPairingKit(connector)
    await fetchOfferedWallets(kit.hawser)
    await fetchMoreWallets(kit.hawser)
    const expected = reached.map((n) => `Wallet ${n}`)
    expect(names(directory(kit).recommended)).toEqual(expected.slice(0, 4))
    expect(directory(kit).count).toBe(expected.length)
    expect(names(directory(kit).all.wallets)).toEqual(expected)
  })

  it('those that the site features are offered all the same', async () => {
    const kit = createPairingKit(pairingOf(['own'], false), { featuredWalletIds: [entry(6).id] })
    await fetchOfferedWallets(kit.hawser)
    expect(names(directory(kit).featured)).toEqual(['Wallet 6'])
    expect(names(directory(kit).recommended)).toEqual(['Wallet 1'])
  })

  it('a search finds the others too', async () => {
    const kit = createPairingKit(pairingOf(['own'], false))
    await searchWallets(kit.hawser, 'wallet')
    expect(directory(kit).found.wallets).toHaveLength(everyWay.length)
  })

  it.each([
    [{ relays: ['public'] }, ['own', 'public'], true],
    [{ relays: ['public'] }, ['own'], false],
    [{ relays: ['own', 'public'] }, ['own', 'public'], false],
    [{ relays: ['public'], browserLink: 'https://wallet.test/{url}' }, ['own', 'public'], false],
    [{ relays: ['public'], browserScheme: 'wallet://{url}' }, ['own', 'public'], true],
    [{ relays: [] }, ['own', 'public'], false],
    [{}, ['own', 'public'], false],
  ] as const)('%j needs the public relay of %j: %s', (fields, relays, expected) => {
    const wallet = { id: entry(1).id, name: 'Wallet', ...fields }
    expect(needsPublicRelay(wallet, pairingOf(relays))).toBe(expected)
  })
})

describe('the whole directory', () => {
  it('is read forty at a time, to its end', async () => {
    const kit = createDirectoryKit()
    const lengths: number[] = []
    for (let page = 0; page < 4; page += 1) {
      await fetchMoreWallets(kit.hawser)
      lengths.push(directory(kit).all.wallets.length)
    }
    expect(lengths).toEqual([40, 80, 90, 90])
    expect(kit.gateway.requests).toHaveLength(3)
  })

  it('reports a page that failed, and reads it again on demand', async () => {
    const kit = createDirectoryKit()
    await fetchMoreWallets(kit.hawser)
    kit.gateway.status = 503
    await fetchMoreWallets(kit.hawser)
    expect(directory(kit).all).toMatchObject({ hasFailed: true, isLoading: false, page: 1 })
    kit.gateway.status = 200
    await fetchMoreWallets(kit.hawser)
    expect(directory(kit).all).toMatchObject({ hasFailed: false, page: 2 })
  })

  it('ends at a page without new wallets, whatever the count says', async () => {
    const kit = createDirectoryKit()
    await fetchMoreWallets(kit.hawser)
    kit.gateway.wallets = ninety.slice(0, 40).concat(ninety.slice(0, 40))
    await fetchMoreWallets(kit.hawser)
    expect(directory(kit).all.count).toBe(40)
  })
})

describe('a search', () => {
  it('finds wallets by name, and leaves the whole directory as it was', async () => {
    const kit = createDirectoryKit()
    await fetchMoreWallets(kit.hawser)
    await searchWallets(kit.hawser, ' wallet 9 ')
    expect(names(directory(kit).found.wallets)).toEqual(['Wallet 9', 'Wallet 90'])
    expect(kit.events).toContainEqual({
      event: 'SEARCH_WALLET',
      properties: { badge: 'none', search: 'wallet 9' },
    })
    await searchWallets(kit.hawser, '')
    expect(directory(kit)).toMatchObject({ query: '', found: { wallets: [] } })
    expect(directory(kit).all.wallets).toHaveLength(40)
  })

  it('needs two letters', async () => {
    const kit = createDirectoryKit()
    await searchWallets(kit.hawser, 'w')
    expect(directory(kit).query).toBe('')
    expect(kit.gateway.requests).toHaveLength(0)
  })

  it('drops what an earlier one finds late', async () => {
    const kit = createDirectoryKit()
    const early = searchWallets(kit.hawser, 'wallet 9')
    await searchWallets(kit.hawser, 'wallet 12')
    await early
    expect(names(directory(kit).found.wallets)).toEqual(['Wallet 12'])
  })

  it('can be limited to certified wallets', async () => {
    const kit = createDirectoryKit({}, [entry(1), entry(2, { badge_type: 'certified' })])
    await searchWallets(kit.hawser, '', true)
    expect(names(directory(kit).all.wallets)).toEqual(['Wallet 2'])
  })
})

const installed = createFakeWallet({ explorerId: entry(5).id }).connector
const recent: RecentWallet = { id: entry(6).id, name: 'Wallet 6', links: { mobile: 'six://' } }

describe('a wallet of the directory', () => {
  it.each([
    ['its id', { id: entry(5).id, name: 'Five' }],
    ['its rdns', { id: entry(8).id, name: 'Eight', rdns: 'org.example.wallet' }],
  ])('is connected in this page when a connector has %s', (_, wallet) => {
    const kit = createKit({ connectors: [offer({ ...createFakeWallet(), connector: installed })] })
    kit.hawser.mount()
    openModal(kit.hawser)
    selectWallet(kit.hawser, wallet, 'qrcode')
    expect(kit.hawser.router.getState()).toMatchObject({
      view: 'ConnectingExternal',
      data: { connector: installed },
    })
  })

  it('is paired otherwise', () => {
    const kit = createKit()
    kit.hawser.mount()
    openModal(kit.hawser)
    selectWallet(kit.hawser, recent, 'mobile')
    expect(kit.hawser.router.getState()).toMatchObject({
      view: 'ConnectingWalletConnect',
      data: { wallet: recent },
    })
    expect(kit.events.at(-1)).toEqual({
      event: 'SELECT_WALLET',
      properties: { name: 'Wallet 6', platform: 'mobile' },
    })
  })

  it('is not confused with an impostor of the same rdns', () => {
    const impostor = { ...installed, id: 'org.example.wallet#2', isDuplicate: true }
    expect(connectorOf([impostor], { id: entry(5).id, name: 'Five' })).toBeUndefined()
  })

  it.each([
    [['public'], ['own'], false],
    [['public'], ['own', 'public'], true],
    [['own'], ['own'], true],
    [[], ['own', 'public'], false],
    [['public'], undefined, false],
  ] as const)('with the relays %j is reached through %j: %s', (relays, offered, reached) => {
    expect(isReachable({ relays }, offered)).toBe(reached)
  })
})

describe('the list', () => {
  const connectors: readonly Connector[] = [installed]
  const phone = createFakeRelayWallet(() => createFakeClock()).connector
  const wallets = [entry(4), entry(5), entry(6), { ...entry(8), rdns: 'org.example.wallet' }] as never
  const rowNames = (rows: readonly WalletRow[]) =>
    rows.map((row) => `${row.group}: ${(row.connector ?? row.wallet).name}`)

  function rows(recentWallets: readonly RecentWallet[], listed = [installed, phone], options = {}) {
    const kit = createKit(options)
    kit.hawser.connectors.setState({ connectors: listed, allConnectors: listed, recentWallets })
    kit.hawser.directory.setState({ recommended: wallets })
    const { hawser } = kit
    return rowNames(
      walletRows(hawser.connectors.getState(), hawser.directory.getState(), hawser.options.getState()),
    )
  }

  it('names no wallet twice, and has a row for a recent one that is not in this page', () => {
    expect(rows([recent], [phone])).toEqual([
      'recent: Wallet 6',
      'walletConnect: WalletConnect',
      'recommended: Wallet 4',
    ])
    const uninstalled = { id: 'gone', name: 'Uninstalled' }
    expect(rows([{ ...recent, id: entry(5).id }, uninstalled])).toEqual([
      'injected: Example Wallet',
      'walletConnect: WalletConnect',
    ])
  })

  it('follows the order of the site', () => {
    const order = { features: { connectorTypeOrder: ['recommended', 'recent', 'injected'] } }
    expect(rows([recent], [installed, phone], order)).toEqual([
      'recent: Wallet 6',
      'injected: Example Wallet',
      'walletConnect: WalletConnect',
    ])
    expect(rows([], [phone], order).at(0)).toBe('recommended: Wallet 4')
  })

  it('has wallets that the site adds', () => {
    expect(rows([], [phone], { customWallets: [{ id: 'own', name: 'Own' }] })).toEqual([
      'walletConnect: WalletConnect',
      'custom: Own',
    ])
  })

  it('has no wallet of the directory when nothing can be paired', () => {
    expect(rows([recent], [installed])).toEqual(['injected: Example Wallet'])
  })

  it('recommends wallets while few are installed or recent', () => {
    const count = (options: object, found: readonly Connector[], used: readonly RecentWallet[]) =>
      recommendedCount(createKit(options).hawser.options.getState(), found, used)
    expect(count({}, [], [])).toBe(2)
    expect(count({}, connectors, [])).toBe(1)
    expect(count({}, connectors, [recent])).toBe(0)
    expect(count({ featuredWalletIds: [entry(1).id] }, [], [])).toBe(0)
    expect(count({ customWallets: [recent] }, [], [])).toBe(0)
  })
})

it('selecting WalletConnect itself offers a code to any wallet', () => {
  const phone = createFakeRelayWallet(() => kit.clock)
  const kit = createKit({ connectors: [offer(phone)] })
  kit.hawser.mount()
  openModal(kit.hawser)
  selectConnector(kit.hawser, phone.connector)
  expect(kit.hawser.router.getState()).toMatchObject({ view: 'ConnectingWalletConnect', data: undefined })
  expect(kit.events.at(-1)).toEqual({
    event: 'SELECT_WALLET',
    properties: { name: 'WalletConnect', platform: 'qrcode' },
  })
})
