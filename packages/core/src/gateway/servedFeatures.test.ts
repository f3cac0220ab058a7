import type { GetFeaturesResponseJson } from '@hawser/client/features'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isAccessOffered } from '../access/offered.ts'
import { fetchNativeBalance } from '../account/nativeBalance.ts'
import { fetchTokenBalance } from '../account/tokenBalance.ts'
import { fetchActivity, watchActivity } from '../activity/fetchActivity.ts'
import { isNetworkServed } from '../chain/selectors.ts'
import { connect } from '../connection/connect.ts'
import { offeredLogins } from '../embedded/logins.ts'
import { fetchIdentity, takeName } from '../names/identity.ts'
import { fetchOwnNames, watchOwnNames } from '../names/ownNames.ts'
import { base } from '../networks.gen.ts'
import { fetchNfts, watchNfts } from '../nfts/fetchNfts.ts'
import { isOnrampOffered } from '../onramp/availability.ts'
import { watchOnramp } from '../onramp/watchOnramp.ts'
import { isSwapOffered, listSwapNetworks } from '../swap/networks.ts'
import { watchSwap } from '../swap/watchSwap.ts'
import { settle } from '../testing/fakeClock.ts'
import { createFakeEmbeddedWallet } from '../testing/fakeEmbeddedWallet.ts'
import { ALICE } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit, devnet, type Kit } from '../testing/kit.ts'
import { ANCHORS } from '../testing/nfts.ts'
import { NAME, recordOf } from '../testing/owning.ts'
import { transaction } from '../testing/transactions.ts'
import { isServed, readServedFeatures } from './servedFeatures.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Connects a visitor while the gateway cannot be reached. */
async function connectedDuringOutage(): Promise<Kit> {
  const kit = createKit()
  kit.gateway.status = 502
  kit.gateway.nfts = () => ({ collections: [ANCHORS], backfilling: false })
  kit.gateway.history = () => ({ data: [transaction(1)], next: null })
  kit.gateway.names.owned = () => [recordOf()]
  kit.hawser.mount()
  await connect(kit.hawser, { connector: kit.wallet.connector })
  await settle()
  return kit
}

describe('the chains the gateway serves', () => {
  it('are requested once', async () => {
    const { hawser, gateway } = createKit()
    expect(await isServed(hawser, 'eip155:31337')).toBe(true)
    expect(await isServed(hawser, 'eip155:1')).toBe(false)
    expect(gateway.requests.filter((request) => request.includes('GetFeatures'))).toHaveLength(1)
  })

  it('are compared with those of the site: the console names what is missing', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue()
    const { hawser } = createKit({ networks: [devnet, base], debug: true })
    for (let i = 0; i < 2; i++) expect(await isServed(hawser, 'eip155:8453')).toBe(false)
    expect(error).toHaveBeenCalledExactlyOnceWith(
      '[hawser] The gateway does not serve eip155:8453: add a node of it to chains.nodes',
    )
    expect(hawser.alert.getState()).toMatchObject({ open: true, message: 'Network Not Found' })
    error.mockRestore()
  })

  it('come with what else is missing, when the site is debugged', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue()
    const { connector } = createFakeEmbeddedWallet({ socials: ['google', 'x'] })
    for (const debug of [false, true]) {
      const { hawser, gateway } = createKit({ debug })
      hawser.connectors.setState({ allConnectors: [connector] })
      gateway.features = {
        swapChains: { chainIds: [] },
        onramp: { providers: [] },
        approvals: false,
        logins: { email: false, socials: ['google'] },
      }
      await readServedFeatures(hawser)
    }
    expect(error.mock.calls.flat()).toEqual([
      '[hawser] Buying is not offered: set onramp.coinbase or onramp.meld',
      '[hawser] Swaps are not offered: add a network to convert.venues',
      '[hawser] Approvals are not listed: add peers.access',
      '[hawser] Login by email is not offered: set wallet.mail.host',
      '[hawser] Login by x is not offered: set wallet.social.x',
    ])
    error.mockRestore()
  })

  it('are unknown while the gateway cannot be reached, and requested again', async () => {
    const { hawser, gateway } = createKit()
    gateway.status = 500
    await expect(isServed(hawser, 'eip155:31337')).rejects.toThrow()
    gateway.status = 200
    expect(await isServed(hawser, 'eip155:31337')).toBe(true)
  })
})

describe('what the gateway lacks', () => {
  const offers = ({ hawser }: Kit) => {
    const [chain, served] = [hawser.chain.getState(), hawser.served.getState()]
    return {
      buying: isOnrampOffered(hawser.options.getState(), chain, served),
      swaps: isSwapOffered(chain, served),
      network: isNetworkServed(served, devnet),
      approvals: isAccessOffered('eip155', hawser.options.getState().features, served),
    }
  }

  const all = { buying: true, swaps: true, network: true, approvals: true }
  it.each([
    ['nothing is known', {}, all],
    ['no provider', { onramp: { providers: [] } }, { ...all, buying: false }],
    ['no exchange', { swapChains: { chainIds: [] } }, { ...all, swaps: false }],
    ['exchanges elsewhere', { swapChains: { chainIds: ['eip155:8453'] } }, { ...all, swaps: false }],
    ['no node', { chains: { chainIds: [] } }, { ...all, network: false }],
    ['no service of approvals', { approvals: false }, { ...all, approvals: false }],
  ] as const)('is not offered: %s', async (_, features, expected) => {
    vi.spyOn(console, 'error').mockReturnValue()
    const kit = await createConnectedKit()
    kit.hawser.gateway.features = undefined
    kit.gateway.features = structuredClone(features) as GetFeaturesResponseJson
    await readServedFeatures(kit.hawser)
    expect(offers(kit)).toEqual(expected)
    vi.restoreAllMocks()
  })

  it('of logins is not offered either', async () => {
    const { connector } = createFakeEmbeddedWallet({ socials: ['google', 'x'] })
    const { features } = createKit().hawser.options.getState()
    const logins = { email: false, socials: ['x'] }
    expect(offeredLogins({ allConnectors: [connector] }, features, { logins })).toMatchObject(logins)
  })
})

describe('an outage before the page was loaded', () => {
  it('is not taken for an account without NFTs, activity and names', async () => {
    const kit = await connectedDuringOutage()
    await Promise.all([fetchNfts(kit.hawser), fetchActivity(kit.hawser), fetchOwnNames(kit.hawser)])
    expect(kit.hawser.nfts.getState()).toMatchObject({ hasFailed: true, isLoaded: false })
    expect(kit.hawser.activity.getState()).toMatchObject({ hasFailed: true, isLoaded: false })
    expect(kit.hawser.ownNames.getState()).toMatchObject({ status: 'failed' })
  })

  it('leaves the balances that are shown, and the native balance unknown', async () => {
    const kit = await connectedDuringOutage()
    expect(await fetchNativeBalance(kit.hawser)).toBeUndefined()
    expect(await fetchTokenBalance(kit.hawser)).toEqual([])
    expect(kit.hawser.toast.getState().message).toBe('Token Balance Unavailable')
  })

  it('does not take away the name that the account is shown by', async () => {
    const kit = await connectedDuringOutage()
    takeName(kit.hawser, ALICE, NAME)
    await fetchIdentity(kit.hawser, { bypassCache: true })
    expect(kit.hawser.chain.getState().chains.get('eip155')?.accountState.profileName).toBe(NAME)
  })

  it('is not taken for a site without a network that swaps', async () => {
    const kit = await connectedDuringOutage()
    await expect(listSwapNetworks(kit.hawser)).rejects.toThrow()
  })

  it.each([
    ['NFTs', watchNfts, ({ hawser }: Kit) => hawser.nfts.getState().isLoaded],
    ['activity', watchActivity, ({ hawser }: Kit) => hawser.activity.getState().isLoaded],
    ['names', watchOwnNames, ({ hawser }: Kit) => hawser.ownNames.getState().status === 'read'],
    ['what can be bought', watchOnramp, ({ hawser }: Kit) => !hawser.onramp.getState().isDefault],
    ['purchases', watchOnramp, ({ hawser }: Kit) => hawser.onramp.getState().hasOrders],
    ['swaps', watchSwap, ({ hawser }: Kit) => hawser.swap.getState().availability === 'available'],
  ] as const)('ends by itself for %s', async (_, watch, isRead) => {
    const kit = await connectedDuringOutage()
    const stop = watch(kit.hawser)
    await settle()
    await kit.clock.advance(10_000)
    expect(isRead(kit)).toBe(false)

    kit.gateway.status = 200
    await kit.clock.advance(30_000)
    expect(isRead(kit)).toBe(true)
    stop()
  })

  it('is not requested any more once the views are closed', async () => {
    const kit = await connectedDuringOutage()
    const stops = [watchOwnNames, watchOnramp, watchSwap].map((watch) => watch(kit.hawser))
    await settle()
    for (const stop of stops) stop()
    const asked = lists(kit)
    await kit.clock.advance(60_000)
    expect(lists(kit)).toEqual(asked)
  })

  it('is not requested in a hidden tab', async () => {
    const page = Object.assign(new EventTarget(), { hidden: false })
    vi.stubGlobal('document', page)
    const kit = await connectedDuringOutage()
    const stop = watchOnramp(kit.hawser)
    await settle()
    page.hidden = true
    const asked = lists(kit)
    await kit.clock.advance(60_000)
    expect(lists(kit)).toEqual(asked)

    page.hidden = false
    kit.gateway.status = 200
    await kit.clock.advance(10_000)
    expect(kit.hawser.onramp.getState().isDefault).toBe(false)
    stop()
  })
})

/** Returns the requests for lists that are read while a view is shown. */
function lists({ gateway }: Kit): string[] {
  return gateway.requests.filter((request) => /hawser\.(names|onramp|convert)/.test(request))
}
