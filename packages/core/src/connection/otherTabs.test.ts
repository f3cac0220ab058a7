import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { selectAccount } from '../chain/selectors.ts'
import { settle } from '../testing/fakeClock.ts'
import { createFakeEmbeddedWallet } from '../testing/fakeEmbeddedWallet.ts'
import { createFakeWallet, type FakeWallet } from '../testing/fakeWallet.ts'
import { createKit, devnetTwo, type Kit } from '../testing/kit.ts'
import { createMemoryStorage } from '../testing/memoryStorage.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'

/** A browser whose tabs receive the storage events of each other. */
function openBrowser() {
  const values = createMemoryStorage()
  const tabs: EventTarget[] = []

  /** Opens a tab, in which the wallet may be another one than in the others. */
  const openTab = (wallet: FakeWallet) => {
    const own = new EventTarget()
    tabs.push(own)
    const tell = (key: string | null) => {
      for (const tab of tabs) if (tab !== own) tab.dispatchEvent(Object.assign(new Event('storage'), { key }))
    }
    const storage = {
      getItem: values.getItem,
      setItem(key: string, value: string) {
        if (values.getItem(key) === value) return
        values.setItem(key, value)
        tell(key)
      },
      removeItem(key: string) {
        if (values.getItem(key) === null) return
        values.removeItem(key)
        tell(key)
      },
    }
    vi.stubGlobal('addEventListener', own.addEventListener.bind(own))
    vi.stubGlobal('removeEventListener', own.removeEventListener.bind(own))
    const kit = createKit({ storage }, wallet)
    kit.hawser.mount()
    const restore = () => own.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    return { ...kit, tell, restore }
  }
  return { values, openTab }
}

const STORED = '@hawser/v1/eip155:connected_connector_id'

let browser: ReturnType<typeof openBrowser>
let tabs: Record<'first' | 'second', ReturnType<typeof browser.openTab>> & { wallet: FakeWallet }

beforeEach(() => {
  browser = openBrowser()
  const wallet = createFakeWallet()
  tabs = { wallet, first: browser.openTab(wallet), second: browser.openTab(wallet) }
})

afterEach(() => {
  vi.unstubAllGlobals()
})

const statusOf = ({ hawser }: Kit) => hawser.connection.getState().status

it('connects the other tab without a prompt', async () => {
  await connect(tabs.first.hawser, { connector: tabs.wallet.connector })
  await vi.waitFor(() => expect(statusOf(tabs.second)).toBe('connected'))
  expect(tabs.wallet.calls.filter(({ method }) => method === 'eth_requestAccounts')).toHaveLength(1)
})

it('disconnects the other tab', async () => {
  await connect(tabs.first.hawser, { connector: tabs.wallet.connector })
  await vi.waitFor(() => expect(statusOf(tabs.second)).toBe('connected'))
  await disconnect(tabs.first.hawser)
  await vi.waitFor(() => expect(statusOf(tabs.second)).toBe('disconnected'))
  expect(tabs.second.eventNames()).toContain('DISCONNECT_SUCCESS')
})

it('leaves the other tab when the site clears its storage', async () => {
  await connect(tabs.first.hawser, { connector: tabs.wallet.connector })
  await vi.waitFor(() => expect(statusOf(tabs.second)).toBe('connected'))
  browser.values.values.clear()
  tabs.first.tell(null)
  await vi.waitFor(() => expect(statusOf(tabs.second)).toBe('disconnected'))
})

describe('a page that the browser restores', () => {
  it('follows a disconnect that it did not hear of', async () => {
    await connect(tabs.first.hawser, { connector: tabs.wallet.connector })
    browser.values.setItem(STORED, 'null')
    tabs.first.restore()
    await vi.waitFor(() => expect(statusOf(tabs.first)).toBe('disconnected'))
  })

  it('follows a connection that it did not hear of', async () => {
    await connect(tabs.first.hawser, { connector: tabs.wallet.connector })
    const values = [...browser.values.values]
    await disconnect(tabs.first.hawser)
    for (const [key, value] of values) browser.values.setItem(key, value)
    tabs.first.restore()
    await vi.waitFor(() => expect(statusOf(tabs.first)).toBe('connected'))
  })

  it('leaves a wallet that grants nothing any more', async () => {
    await connect(tabs.first.hawser, { connector: tabs.wallet.connector })
    tabs.wallet.accounts = []
    browser.values.removeItem(STORED)
    tabs.first.restore()
    await vi.waitFor(() => expect(statusOf(tabs.first)).toBe('disconnected'))
  })
})

it('leaves a wallet that was locked in both tabs, and stores nothing of it', async () => {
  await connect(tabs.first.hawser, { connector: tabs.wallet.connector })
  await vi.waitFor(() => expect(statusOf(tabs.second)).toBe('connected'))
  tabs.wallet.accounts = []
  tabs.wallet.emit('accountsChanged', [])
  await vi.waitFor(() =>
    expect([statusOf(tabs.first), statusOf(tabs.second)]).toEqual(['disconnected', 'disconnected']),
  )
  expect(browser.values.values.has(STORED)).toBe(false)
})

describe('a page that cannot open what another one is connected to', () => {
  const refusing = () => Object.assign(createFakeWallet(), { accounts: [] })
  const silent = () => {
    const wallet = createFakeWallet()
    wallet.answers.eth_accounts = () => new Promise(() => undefined)
    return wallet
  }
  const failing = () => {
    const wallet = createFakeWallet()
    wallet.answers.eth_accounts = () => {
      throw new Error('the frame was not loaded')
    }
    return wallet
  }

  /** Waits until a page has given up on the stored wallet. */
  async function givesUp(page: Kit) {
    await vi.waitFor(async () => {
      expect(page.wallet.calls.map(({ method }) => method)).toContain('eth_accounts')
      await page.clock.advance(5_000)
      expect(statusOf(page)).toBe('disconnected')
    })
    await settle()
  }

  it.each([
    ['is refused', refusing],
    ['gets no answer', silent],
    ['gets an error', failing],
  ])('and %s does not end it there, whether it was open before or not', async (_, other) => {
    const before = browser.openTab(other())
    await connect(tabs.first.hawser, { connector: tabs.wallet.connector })
    await givesUp(before)
    const after = browser.openTab(other())
    await givesUp(after)
    await vi.waitFor(() => expect(browser.values.values.get(STORED)).toBe('"org.example.wallet"'))
    expect(statusOf(tabs.first)).toBe('connected')
    expect(tabs.first.eventNames()).not.toContain('DISCONNECT_SUCCESS')
    expect(statusOf(before)).toBe('disconnected')
  })

  it.each([
    ['gets no answer', silent],
    ['gets an error', failing],
  ])('and %s leaves it to the next visit', async (_, other) => {
    await connect(tabs.first.hawser, { connector: tabs.wallet.connector })
    const next = openBrowser()
    for (const [key, value] of browser.values.values) next.values.setItem(key, value)
    await givesUp(next.openTab(other()))
    const later = next.openTab(tabs.wallet)
    await vi.waitFor(() => expect(statusOf(later)).toBe('connected'))
  })
})

describe('a login that the browser does not store', () => {
  /** Opens a tab with a frame of its own, whose login ends with the tab. */
  function openTab() {
    const frame = createFakeEmbeddedWallet()
    frame.frameAnswers.endsWithTab = () => true
    return Object.assign(browser.openTab(frame), { frame })
  }

  async function logIn({ hawser, frame }: ReturnType<typeof openTab>) {
    const wallet = await frame.connector.getEmbeddedWallet?.()
    await wallet?.connectOtp(frame.otp)
    await connect(hawser, { connector: frame.connector })
  }

  const infoOf = ({ hawser }: Kit) => selectAccount(hawser.chain.getState()).connectedWalletInfo

  it('is of its tab alone, which shows that', async () => {
    const [mine, other] = [openTab(), openTab()]
    await logIn(mine)
    await settle()
    expect(infoOf(mine)).toMatchObject({ type: 'AUTH', endsWithTab: true })
    expect(other.frame.frameCalls).toEqual([])
    expect(browser.values.values.has(STORED)).toBe(false)
  })

  it('is not ended by another tab that ends its own', async () => {
    const [mine, other] = [openTab(), openTab()]
    await logIn(mine)
    await logIn(other)
    await disconnect(other.hawser)
    await connect(tabs.first.hawser, { connector: tabs.wallet.connector })
    await disconnect(tabs.first.hawser)
    await settle()
    expect(statusOf(other)).toBe('disconnected')
    expect(statusOf(mine)).toBe('connected')
  })

  it('does not end what another tab is connected to', async () => {
    await connect(tabs.first.hawser, { connector: tabs.wallet.connector })
    const mine = openTab()
    await logIn(mine)
    await disconnect(mine.hawser)
    mine.frame.emitFrame('signedOut', undefined)
    await settle()
    expect(statusOf(tabs.first)).toBe('connected')
    expect(browser.values.values.get(STORED)).toBe('"org.example.wallet"')
  })
})

it('moves the other tab to the network chosen before a wallet is connected', async () => {
  setActiveNetwork(tabs.first.hawser, devnetTwo)
  await vi.waitFor(() =>
    expect(tabs.second.hawser.chain.getState().activeCaipNetwork?.name).toBe('Devnet Two'),
  )
})

it('lists the wallet the other tab used as recent', async () => {
  await connect(tabs.first.hawser, { connector: tabs.wallet.connector })
  await vi.waitFor(() =>
    expect(tabs.second.hawser.connectors.getState().recentWallets).toMatchObject([
      { id: 'org.example.wallet' },
    ]),
  )
})
