import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { selectAccount } from '../chain/selectors.ts'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { createFakeEmbeddedWallet } from '../testing/fakeEmbeddedWallet.ts'
import { ALICE, BOB, createFakeWallet, type FakeWallet } from '../testing/fakeWallet.ts'
import { createKit, devnetTwo } from '../testing/kit.ts'
import { createMemoryStorage } from '../testing/memoryStorage.ts'
import type { SavedConnection } from '../types/connectionCookie.ts'
import { connectionCookie } from './connectionCookie.ts'
import { readConnectionCookie } from './savedConnection.ts'

const ALICE_ON_DEVNET: SavedConnection = {
  network: 'eip155:31337',
  accounts: [{ caipAddress: `eip155:31337:${ALICE}` }],
}

/** Creates a browser that keeps cookies, with a wallet in it. */
function openBrowser() {
  const cookies = new Map<string, string>()
  const written: string[] = []
  vi.stubGlobal('location', { protocol: 'https:' })
  vi.stubGlobal('document', {
    set cookie(text: string) {
      written.push(text)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (text.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  })
  return {
    written,
    storage: createMemoryStorage(),
    wallet: createFakeWallet(),
    header: () => ['theme=dark', ...[...cookies].map((pair) => pair.join('='))].join('; '),
  }
}

type Browser = ReturnType<typeof openBrowser>

let browser: Browser
beforeEach(() => {
  browser = openBrowser()
})
afterEach(() => void vi.unstubAllGlobals())

const saved = () => readConnectionCookie(browser.header())

/**
 * Returns the page as the server renders it for the browser, and as the browser draws it before it is
 * mounted.
 */
function load(wallet: FakeWallet = browser.wallet) {
  return createKit({ storage: browser.storage, connectionCookie: connectionCookie(saved()) }, wallet)
}

function open(wallet?: FakeWallet) {
  const kit = load(wallet)
  const unmount = kit.hawser.mount()
  return { ...kit, unmount }
}

async function openConnected() {
  const kit = open()
  await connect(kit.hawser, { connector: kit.wallet.connector })
  return kit
}

const accountOf = ({ hawser }: ReturnType<typeof createKit>) => selectAccount(hawser.chain.getState())

describe('the cookie', () => {
  it('is not set for a visitor who did nothing', () => {
    open()
    expect(browser.written).toEqual([])
  })

  it('has the account and its network, for a year, for this site alone', async () => {
    await openConnected()
    expect(saved()).toEqual(ALICE_ON_DEVNET)
    expect(browser.written).toHaveLength(1)
    expect(browser.written[0]).toMatch(
      /^hawser-connection=[\w%.-]+; Path=\/; Max-Age=31536000; SameSite=Lax; Secure$/,
    )
  })

  it('follows account, name and network', async () => {
    const { hawser, wallet } = await openConnected()
    wallet.accounts = [BOB]
    wallet.emit('accountsChanged', [BOB])
    expect(saved()?.accounts).toEqual([{ caipAddress: `eip155:31337:${BOB}` }])
    wallet.chainId = 31338
    wallet.emit('chainChanged', '0x7a6a')
    expect(saved()).toEqual({ network: 'eip155:31338', accounts: [{ caipAddress: `eip155:31338:${BOB}` }] })
    expect(hawser.chain.getState().activeCaipNetwork?.name).toBe('Devnet Two')
  })

  it('does not have an account whose login ends with the tab', async () => {
    const frame = createFakeEmbeddedWallet()
    frame.frameAnswers.endsWithTab = () => true
    await (await frame.connector.getEmbeddedWallet?.())?.connectOtp(frame.otp)
    await connect(open(frame).hawser, { connector: frame.connector })
    expect(saved()).toBeUndefined()
  })

  it('is deleted with the connection', async () => {
    const { hawser } = await openConnected()
    await disconnect(hawser)
    expect(saved()).toBeUndefined()
    expect(browser.header()).toBe('theme=dark')
  })

  it('keeps the network that was chosen without a wallet', () => {
    const { hawser } = open()
    setActiveNetwork(hawser, devnetTwo)
    expect(saved()).toEqual({ network: 'eip155:31338', accounts: [] })
    expect(load().hawser.chain.getState().activeCaipNetwork?.name).toBe('Devnet Two')
  })

  it('is not written again by a page that shows what it says', async () => {
    await openConnected()
    browser.written.length = 0
    const kit = open()
    await vi.waitFor(() => expect(accountOf(kit).status).toBe('connected'))
    expect(browser.written).toEqual([])
  })

  it('is not written before it is known whether the wallet comes back', async () => {
    const { unmount } = await openConnected()
    unmount()
    browser.written.length = 0
    const kit = createKit(
      { storage: browser.storage, connectionCookie: connectionCookie(undefined) },
      browser.wallet,
    )
    kit.hawser.mount()
    expect(accountOf(kit).status).toBe('reconnecting')
    expect(browser.written).toEqual([])
    await vi.waitFor(() => expect(browser.written).toHaveLength(1))
    expect(saved()).toEqual(ALICE_ON_DEVNET)
  })
})

describe('a page with the cookie', () => {
  it('has the account before it is mounted, for a server too', async () => {
    await openConnected()
    browser.storage.values.clear()
    const { hawser, gateway } = load()
    expect(selectAccount(hawser.chain.getInitialState())).toMatchObject({
      address: ALICE,
      caipAddress: `eip155:31337:${ALICE}`,
      status: 'reconnecting',
    })
    expect(hawser.chain.getInitialState().activeCaipAddress).toBe(`eip155:31337:${ALICE}`)
    expect(gateway.requests).toEqual([])
  })

  it('shows the account without a gap until the wallet is connected again, and then its balance', async () => {
    await openConnected()
    const kit = load()
    kit.gateway.node.eth_getBalance = () => '0xde0b6b3a7640000'
    const shown = new Set<string | undefined>()
    kit.hawser.chain.subscribe((state) => shown.add(selectAccount(state).address))
    kit.hawser.mount()
    await vi.waitFor(() => expect(accountOf(kit)).toMatchObject({ status: 'connected', balance: '1' }))
    expect([...shown]).toEqual([ALICE])
    expect(kit.wallet.calls.filter(({ method }) => method === 'eth_accounts')).toHaveLength(1)
  })

  it('is disconnected once the wallet grants nothing any more', async () => {
    await openConnected()
    browser.wallet.accounts = []
    const kit = open()
    expect(accountOf(kit).address).toBe(ALICE)
    await vi.waitFor(() =>
      expect(accountOf(kit)).toMatchObject({ address: undefined, status: 'disconnected' }),
    )
    expect(kit.hawser.chain.getState().activeCaipAddress).toBeUndefined()
    expect(saved()).toBeUndefined()
  })

  it('is disconnected once the wallet was waited for in vain', async () => {
    await openConnected()
    const kit = open(createFakeWallet({ id: 'other', name: 'Other', info: { rdns: 'other' } }))
    await vi.waitFor(async () => {
      await kit.clock.advance(3_000)
      expect(accountOf(kit)).toMatchObject({ address: undefined, status: 'disconnected' })
    })
    expect(saved()).toBeUndefined()
  })

  it('is disconnected at once in a browser without a stored connection', async () => {
    await openConnected()
    browser.storage.values.clear()
    const kit = open()
    expect(accountOf(kit)).toMatchObject({ address: undefined, status: 'disconnected' })
    expect(saved()).toBeUndefined()
  })

  it('asks an account to sign in once its wallet is there', async () => {
    await openConnected()
    const getSessions = vi.fn(async () => [])
    const siwx = { getSessions, getRequired: () => false } as never
    const kit = createKit(
      { storage: browser.storage, connectionCookie: connectionCookie(saved()), siwx },
      browser.wallet,
    )
    kit.hawser.mount()
    await vi.waitFor(() => expect(kit.hawser.signIn.getState().status).toBe('needed'))
    expect(getSessions.mock.calls).toEqual([['eip155:31337', ALICE]])
    expect(accountOf(kit).status).toBe('connected')
  })

  it('ignores networks and namespaces that the site does not list', () => {
    const other: SavedConnection = {
      network: 'solana:dev',
      accounts: [{ caipAddress: 'solana:dev:Vote111111111111111111111111111111111111111' }],
    }
    const { hawser } = createKit({ connectionCookie: connectionCookie(other) })
    expect(hawser.chain.getState()).toMatchObject({ activeChain: 'eip155', activeCaipAddress: undefined })
  })

  it('shows a wallet that is on a network that the site does not list as such', () => {
    const other: SavedConnection = {
      network: 'eip155:5',
      accounts: [{ caipAddress: `eip155:5:${ALICE}`, name: 'alice.test' }],
    }
    const { hawser } = createKit({ connectionCookie: connectionCookie(other) })
    expect(hawser.chain.getState().activeCaipNetwork?.name).toBe('Unknown Network')
    expect(selectAccount(hawser.chain.getState()).profileName).toBe('alice.test')
  })
})

describe('reading the cookie', () => {
  const header = (value: unknown) =>
    `a=b; hawser-connection=${encodeURIComponent(JSON.stringify(value))}; c=d`

  it('finds it among other cookies', () => {
    expect(readConnectionCookie(header(ALICE_ON_DEVNET))).toEqual(ALICE_ON_DEVNET)
  })

  it.each([
    [undefined],
    [null],
    ['a=b'],
    ['hawser-connection='],
    ['hawser-connection=%7B'],
    ['hawser-connection=%E0%A4%A'],
    [header(null)],
    [header({ network: 'eip155:1' })],
    [header({ network: '<script>', accounts: [] })],
    [header({ network: 'cosmos:hub', accounts: [] })],
  ])('is undefined for %s', (text) => {
    expect(readConnectionCookie(text)).toBeUndefined()
  })

  it('drops malformed accounts, and characters that hide others', () => {
    const accounts = [
      { caipAddress: 'eip155:1:<b>' },
      { caipAddress: 7 },
      { caipAddress: `eip155:1:${ALICE}`, name: 'al\u202eice' },
      { caipAddress: `eip155:1:${BOB}`, name: 7 },
    ]
    expect(readConnectionCookie(header({ network: 'eip155:1', accounts }))?.accounts).toEqual([
      { caipAddress: `eip155:1:${ALICE}`, name: 'alice' },
      { caipAddress: `eip155:1:${BOB}` },
    ])
  })

  it('reads no more than four accounts', () => {
    const accounts = Array.from({ length: 9 }, () => ({ caipAddress: `eip155:1:${ALICE}` }))
    expect(readConnectionCookie(header({ network: 'eip155:1', accounts }))?.accounts).toHaveLength(4)
  })
})
