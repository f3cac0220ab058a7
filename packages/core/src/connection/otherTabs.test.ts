import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { createFakeWallet } from '../testing/fakeWallet.ts'
import { createKit, devnetTwo } from '../testing/kit.ts'
import { createMemoryStorage } from '../testing/memoryStorage.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'

/** Opens two tabs of one browser, each of which receives the storage events of the other. */
function openTwoTabs() {
  const values = createMemoryStorage()
  const wallet = createFakeWallet()
  const tabs = [new EventTarget(), new EventTarget()] as const

  const tabAt = (index: 0 | 1) => {
    const other = tabs[1 - index] as EventTarget
    const tell = (key: string) => other.dispatchEvent(Object.assign(new Event('storage'), { key }))
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
    const own = tabs[index]
    vi.stubGlobal('addEventListener', own.addEventListener.bind(own))
    vi.stubGlobal('removeEventListener', own.removeEventListener.bind(own))
    const kit = createKit({ storage }, wallet)
    kit.hawser.mount()
    return kit
  }
  return { wallet, first: tabAt(0), second: tabAt(1) }
}

let tabs: ReturnType<typeof openTwoTabs>

beforeEach(() => {
  tabs = openTwoTabs()
})

afterEach(() => {
  vi.unstubAllGlobals()
})

const statusOf = ({ hawser }: (typeof tabs)['first']) => hawser.connection.getState().status

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
