// @vitest-environment jsdom

import { createFakeRelayWallet, createFakeWallet, createKit, deferred, offer } from '@hawser/core/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { findView, renderPage, showView } from '../../testing/openKit.tsx'
import { renderPairing, wallet } from '../../testing/openPairing.tsx'

const fifty = Array.from({ length: 50 }, (_, n) => wallet(n + 1))
const grid = () => screen.findByRole('list', { name: 'Wallets' })
const tiles = async () =>
  within(await grid())
    .getAllByRole('button')
    .map(({ title }) => title)

describe('a wallet of this browser', () => {
  /** Renders the grid of a site that pairs wallets, beside an extension that the directory does not know. */
  async function openGrid(wallets = fifty) {
    const phone = createFakeRelayWallet(() => kit.clock)
    const own = createFakeWallet({ id: 'org.unknown', name: 'Unknown', info: { rdns: 'org.unknown' } })
    own.answers.eth_requestAccounts = () => deferred().promise
    const known = createFakeWallet({ id: 'org.nine', name: 'Nine', info: {}, explorerId: wallet(9).id })
    const kit = createKit({ connectors: [offer(phone), offer(own), offer(known)] })
    kit.gateway.wallets = wallets
    const page = renderPage(kit)
    await showView(page, 'AllWallets')
    return page
  }

  it('is the first, installed, also when the directory does not know it', async () => {
    const page = await openGrid()
    await waitFor(async () => expect(await tiles()).toHaveLength(51))
    expect((await tiles()).slice(0, 3)).toEqual(['Unknown', 'Wallet 9', 'Wallet 1'])
    const tile = screen.getByTestId('wallet-search-item-org.unknown')
    expect(within(tile).getByText('Installed')).toBeDefined()
    await page.user.click(tile)
    await findView('ConnectingExternal')
    expect(screen.getByTestId('w3m-header-text').textContent).toBe('Unknown')
  })

  it('is found by name, and is not certified', async () => {
    const page = await openGrid([wallet(1), wallet(2, { badge_type: 'certified' })])
    await page.user.type(screen.getByTestId('wui-input-text'), 'UNKN')
    await page.advance(500)
    await waitFor(async () => expect(await tiles()).toEqual(['Unknown']))
    await page.user.clear(screen.getByTestId('wui-input-text'))
    await page.advance(500)
    await page.user.click(await screen.findByTestId('wui-certified-switch'))
    await waitFor(async () => expect(await tiles()).toEqual(['Wallet 2']))
  })
})

describe('the whole directory', () => {
  it('is opened from the list of wallets, which says how many there are', async () => {
    const page = renderPairing({}, fifty)
    await showView(page, 'Connect')
    await waitFor(() => expect(screen.getByTestId('all-wallets').textContent).toContain('50+'))
    await page.user.click(screen.getByTestId('all-wallets'))
    await findView('AllWallets')
    expect(page.eventNames()).toContain('CLICK_ALL_WALLETS')
  })

  // Without an IntersectionObserver, as here, the next page is read at once.
  it('is read to its end', async () => {
    const page = renderPairing({}, fifty)
    await showView(page, 'AllWallets')
    await waitFor(async () => expect(await tiles()).toHaveLength(50))
  })

  it('has a placeholder for each wallet while the first page is read', async () => {
    const page = renderPairing()
    page.hawser.directory.setState(({ all }) => ({ count: 3, all: { ...all, isLoading: true } }))
    await showView(page, 'AllWallets')
    expect(document.querySelectorAll('[role=status] .hw-wallet-tile')).toHaveLength(3)
  })

  it('finds wallets by name once the visitor stops typing', async () => {
    const page = renderPairing({}, fifty)
    await showView(page, 'AllWallets')
    await page.user.type(screen.getByTestId('wui-input-text'), 'wallet 5')
    await page.advance(500)
    await waitFor(async () => expect(await tiles()).toEqual(['Wallet 5', 'Wallet 50']))
  })

  it('says that nothing was found', async () => {
    const page = renderPairing({}, fifty)
    await showView(page, 'AllWallets')
    await page.user.type(screen.getByTestId('wui-input-text'), 'nothing')
    await page.advance(500)
    expect((await screen.findByTestId('no-wallet-found-text')).textContent).toContain('“nothing”')
  })

  it('says that it cannot be read, and reads it again', async () => {
    const page = renderPairing({}, fifty)
    page.gateway.status = 503
    await showView(page, 'AllWallets')
    const retry = await screen.findByTestId('wallets-retry')
    page.gateway.status = 200
    await page.user.click(retry)
    await waitFor(async () => expect(await tiles()).toHaveLength(50))
  })

  it('shows certified wallets alone on demand', async () => {
    const page = renderPairing({}, [wallet(1), wallet(2, { badge_type: 'certified' })])
    await showView(page, 'AllWallets')
    await page.user.click(await screen.findByTestId('wui-certified-switch'))
    await waitFor(async () => expect(await tiles()).toEqual(['Wallet 2']))
  })

  it.each(['HIDE', 'ONLY_MOBILE'] as const)('can be hidden by `allWallets: %s`', async (allWallets) => {
    const page = renderPairing({ allWallets }, fifty)
    await showView(page, 'Connect')
    expect(screen.queryByTestId('all-wallets')).toBeNull()
  })
})

describe('the list of wallets', () => {
  it('has a code to scan, then recommended wallets, without links to install others', async () => {
    const page = renderPairing({}, fifty)
    await showView(page, 'Connect')
    await screen.findByTestId(`wallet-selector-featured-${wallet(1).id}`)
    const rows = within(screen.getByTestId('wallet-list')).getAllByRole('button')
    expect(rows.map((row) => row.querySelector('.hw-row-title')?.textContent)).toEqual([
      'Show a QR code',
      'Wallet 1',
      'Wallet 2',
      'All wallets',
    ])
    expect(screen.queryByTestId('wallet-links')).toBeNull()
    await page.user.click(screen.getByTestId(`wallet-selector-featured-${wallet(2).id}`))
    await findView('ConnectingWalletConnect')
    expect(screen.getByTestId('w3m-header-text').textContent).toBe('Wallet 2')
  })

  it('has a row for a recent wallet that is not in this page', async () => {
    const page = renderPairing({}, fifty)
    const recent = { id: wallet(9).id, name: 'Wallet 9', links: { mobile: 'nine://' } }
    act(() => page.hawser.connectors.setState({ recentWallets: [recent] }))
    await showView(page, 'Connect')
    const row = screen.getByTestId(`wallet-selector-featured-${recent.id}`)
    expect(within(row).getByText('Recent')).toBeDefined()
  })

  it('still lists links to install wallets while the directory cannot be read', async () => {
    const page = renderPairing()
    page.gateway.status = 503
    await showView(page, 'Connect')
    expect(await screen.findByTestId('wallet-links')).toBeDefined()
  })

  it('connects a wallet of the directory that is installed', async () => {
    const installed = createFakeWallet({ explorerId: wallet(1).id })
    installed.answers.eth_requestAccounts = () => deferred().promise
    const phone = createFakeRelayWallet(() => kit.clock)
    const kit = createKit({ connectors: [offer(phone), offer(installed)] })
    kit.gateway.wallets = fifty
    const page = renderPage(kit)
    await showView(page, 'AllWallets')
    const tile = await screen.findByTestId(`wallet-search-item-${wallet(1).id}`)
    expect(within(tile).getByText('Installed')).toBeDefined()
    await page.user.click(tile)
    await findView('ConnectingExternal')
  })
})

describe('the name of WalletConnect', () => {
  const wallets = [
    wallet(1, { relays: ['public'] }),
    wallet(2, { relays: ['own', 'public'] }),
    wallet(3, { relays: ['public'], browser_link: 'https://three.test/{url}' }),
  ]
  const title = () => screen.getByTestId('wallet-selector-walletConnect').querySelector('.hw-row-title')

  it('is at the code, and at wallets that only the public relay reaches', async () => {
    const page = renderPairing({}, wallets, ['own', 'public'])
    await showView(page, 'Connect')
    const row = (n: number) => screen.findByTestId(`wallet-selector-featured-${wallet(n).id}`)
    expect((await row(1)).textContent).toContain('WalletConnect')
    expect((await row(2)).textContent).not.toContain('WalletConnect')
    expect(title()?.textContent).toBe('WalletConnect')
    expect(within(screen.getByTestId('wallet-selector-walletConnect')).getByText('QR code')).toBeDefined()
    await page.user.click(screen.getByTestId('all-wallets'))
    await grid()
    const tagged = await screen.findAllByText('WalletConnect', { selector: '.hw-wallet-relay' })
    expect(tagged.map((tag) => tag.closest('button')?.title)).toEqual(['Wallet 1'])
  })

  it('is nowhere when the site has its own relay alone, also not at a wallet that is found by name', async () => {
    const page = renderPairing({}, wallets)
    await showView(page, 'Connect')
    expect(title()?.textContent).toBe('Show a QR code')
    await page.user.click(screen.getByTestId('wallet-selector-walletConnect'))
    await findView('ConnectingWalletConnect')
    expect(screen.getByTestId('w3m-header-text').textContent).toBe('Show a QR code')
    await page.user.click(screen.getByTestId('header-back'))
    await page.user.click(await screen.findByTestId('all-wallets'))
    await waitFor(async () => expect(await tiles()).toEqual(['Wallet 2', 'Wallet 3']))
    await page.user.type(screen.getByTestId('wui-input-text'), 'wallet 1')
    await page.advance(500)
    await waitFor(async () => expect(await tiles()).toEqual(['Wallet 1']))
    expect(document.body.textContent).not.toContain('WalletConnect')
    await page.user.click(screen.getByTestId(`wallet-search-item-${wallet(1).id}`))
    expect((await screen.findByTestId('pairing-unreachable')).textContent).toContain(
      'Wallet 1 can’t be reached',
    )
  })
})

it('a site that offers pairings alone offers none before the visitor agrees', async () => {
  const legal = { features: { legalCheckbox: true }, termsConditionsUrl: 'https://site.test/terms' }
  const page = renderPairing({ wcBasic: true, ...legal }, fifty)
  await page.user.click(screen.getByTestId('connect-button'))
  await findView('ConnectingWalletConnectBasic')
  expect(page.phone.pairings).toHaveLength(0)
  await page.user.click(screen.getByTestId('w3m-legal-checkbox'))
  expect(await screen.findByTestId('wui-qr-code')).toBeDefined()
})

it('a site that offers pairings alone opens on a code', async () => {
  const page = renderPairing({ wcBasic: true }, fifty)
  await page.user.click(screen.getByTestId('connect-button'))
  await findView('ConnectingWalletConnectBasic')
  expect(await screen.findByTestId('wui-qr-code')).toBeDefined()
  await page.user.click(screen.getByTestId('all-wallets'))
  await findView('AllWallets')
})
