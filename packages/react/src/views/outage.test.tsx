// @vitest-environment jsdom
import { connect, openSend, openSwap, type RouterData, setActiveNetwork, type View } from '@hawser/core'
import { ANCHORS, createKit, devnet, ETHER, NAME, recordOf, transaction } from '@hawser/core/testing'
import { act, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { findView, type OpenKit, renderPage, showView } from '../testing/openKit.tsx'

const unswappable = { ...devnet, id: 5, caipNetworkId: 'eip155:5', testnet: false } as const

/** Connects a visitor during an outage, with an account that holds some of everything. */
async function openDuringOutage(): Promise<OpenKit> {
  const kit = createKit({ networks: [devnet, unswappable] })
  kit.gateway.status = 502
  kit.gateway.nfts = () => ({ collections: [ANCHORS], backfilling: false })
  kit.gateway.history = () => ({ data: [transaction(1)], next: null })
  kit.gateway.names.owned = () => [recordOf()]
  const page = renderPage(kit)
  await act(() => connect(kit.hawser, { connector: kit.wallet.connector }))
  return page
}

const showTab = (tab: string) => async (kit: OpenKit) => {
  await showView(kit, 'Account')
  await kit.user.click(screen.getByTestId(tab))
}
const show = (view: View, data?: RouterData) => (kit: OpenKit) => showView(kit, view, data)

/** Waits for the retries of lists that are polled, and of those that are blocked for 30 seconds. */
async function endOutage(kit: OpenKit): Promise<void> {
  kit.gateway.status = 200
  await kit.advance(40_000)
}

describe.each([
  ['the tokens of the account', showTab('tab-tokens'), 'token-balance-error', `token-${ETHER.symbol}`],
  ['its NFTs', showTab('tab-nfts'), 'nfts-error', 'nft-ANCHOR-1'],
  ['its activity', showTab('tab-activity'), 'activity-error', 'activity'],
  ['its names', show('Names'), 'names-error', `own-name-${NAME}`],
  [
    'the tokens that can be sent',
    async (kit: OpenKit) => {
      act(() => openSend(kit.hawser))
      await findView('WalletSend')
      await show('WalletSendSelectToken')(kit)
    },
    'token-balance-error',
    `send-token-${ETHER.symbol}`,
  ],
  [
    'a swap',
    async (kit: OpenKit) => {
      act(() => openSwap(kit.hawser))
      await findView('Swap')
    },
    'swap-unreachable',
    'swap-action-button',
  ],
  [
    'the networks that have swaps',
    async (kit: OpenKit) => {
      act(() => setActiveNetwork(kit.hawser, unswappable))
      act(() => openSwap(kit.hawser))
      await findView('Swap')
    },
    'swap-unreachable',
    'swap-unsupported',
  ],
  [
    'the tokens that can be swapped',
    show('SwapSelectToken'),
    'swap-unreachable',
    'swap-select-token-item-ETH',
  ],
  ['what can be bought', show('OnRampProviders'), 'onramp-defaults', 'onramp-token-button'],
  [
    'the tokens that can be bought',
    show('OnRampTokenSelect'),
    'onramp-defaults',
    'onramp-token-tUSD-eip155:31337',
  ],
  ['the purchases of the account', show('OnRampActivity'), 'onramp-activity-error', 'onramp-activity-empty'],
] as const)('%s', (_, open, error, content) => {
  it('are unavailable during an outage, and load by themselves afterwards', async () => {
    const kit = await openDuringOutage()
    await open(kit)
    await screen.findByTestId(error)
    await endOutage(kit)
    await screen.findByTestId(content)
    expect(screen.queryByTestId(error)).toBeNull()
  })
})
