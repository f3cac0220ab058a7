// @vitest-environment jsdom

import { createFakeWallet, createKit, offer } from '@hawser/core/testing'
import { screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findView, renderPage, showView } from '../../testing/openKit.tsx'

const terms = { termsConditionsUrl: 'https://site.test/terms', privacyPolicyUrl: 'https://site.test/privacy' }

describe('the wallets', () => {
  it('are listed with their description', async () => {
    await showView(renderPage(), 'Connect')
    const row = screen.getByTestId('wallet-selector-org.example.wallet')
    expect(row.textContent).toContain('Example Wallet')
    expect(within(row).getByText('Installed')).toBeDefined()
  })

  it('used before are marked as recent', async () => {
    const kit = createKit()
    const page = renderPage(kit)
    kit.hawser.connectors.setState({ recentWallets: [{ id: 'org.example.wallet', name: 'Example Wallet' }] })
    await showView(page, 'Connect')
    expect(within(screen.getByTestId('wallet-list')).getByText('Recent')).toBeDefined()
  })

  it('are missing honestly, with what to do about it', async () => {
    await showView(renderPage(createKit({ connectors: [], walletLinks: [] })), 'Connect')
    expect(screen.getByTestId('no-wallet-found').textContent).toContain('Install a wallet extension')
  })

  it('beyond six are folded into a row', async () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']
    const connectors = names.map((name) =>
      offer(createFakeWallet({ id: `org.${name}`, name, info: { rdns: `org.${name}` } })),
    )
    const kit = renderPage(createKit({ connectors, walletLinks: [] }))
    await showView(kit, 'Connect')
    const rows = () => screen.queryAllByTestId(/^wallet-selector-/)
    expect(rows()).toHaveLength(5)
    const more = screen.getByTestId('more-wallets')
    expect(more.textContent).toBe('3 more wallets')
    await kit.user.click(more)
    expect(rows()).toHaveLength(8)
    expect(screen.queryByTestId('more-wallets')).toBeNull()
  })

  it('can be folded behind one button', async () => {
    const kit = renderPage(createKit({ features: { collapseWallets: true } }))
    await showView(kit, 'Connect')
    expect(screen.queryByTestId('wallet-list')).toBeNull()
    await kit.user.click(screen.getByTestId('w3m-collapse-wallets-button'))
    await findView('ConnectWallets')
    expect(screen.getByTestId('wallet-list')).toBeDefined()
  })

  it('can be switched off', async () => {
    await showView(renderPage(createKit({ enableWallets: false })), 'Connect')
    expect(screen.getByText('Wallets are turned off')).toBeDefined()
  })
})

describe('a visitor without a wallet', () => {
  const hrefs = () => within(screen.getByTestId('wallet-links')).getAllByRole<HTMLAnchorElement>('link')
  const titleOf = (link: Element) => link.querySelector('.hw-row-title')?.textContent
  const onPhone = () =>
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)')
  afterEach(() => vi.restoreAllMocks())

  it('sees the marks of the wallets, from the gateway', async () => {
    const kit = createKit({ connectors: [] })
    await showView(renderPage(kit), 'Connect')
    const [metamask] = hrefs()
    const url = kit.hawser.client.networkMarkUrl('').replace(/networks.*/, 'wallets/metamask.svg')
    expect(metamask?.querySelector('img')?.src).toBe(url)
  })

  it('is offered wallets to install, in a new tab without a referrer', async () => {
    await showView(renderPage(createKit({ connectors: [] })), 'Connect')
    expect(hrefs().map(titleOf)).toEqual([
      'MetaMask',
      'Coinbase Wallet',
      'Rabby Wallet',
      'Rainbow',
      'Trust Wallet',
    ])
    for (const link of hrefs()) {
      expect(link.href).toMatch(/^https:/)
      expect(link.target).toBe('_blank')
      expect(link.rel).toBe('noopener noreferrer')
    }
  })

  it('is offered them also when the site has a wallet of its own', async () => {
    const wallet = createFakeWallet({ type: 'EXTERNAL', description: 'A test account. No extension needed.' })
    await showView(renderPage(createKit({}, wallet)), 'Connect')
    expect(screen.getByText('A test account. No extension needed.')).toBeDefined()
    expect(hrefs()).toHaveLength(5)
  })

  it('opens this page in a wallet app on a phone', async () => {
    onPhone()
    await showView(renderPage(createKit({ connectors: [] })), 'Connect')
    expect(hrefs().map((link) => [titleOf(link), link.href])).toEqual([
      ['Open in MetaMask', 'https://link.metamask.io/dapp/localhost:3000/?hawser-connect=1'],
      [
        'Open in Coinbase Wallet',
        'https://go.cb-w.com/dapp?cb_url=http%3A%2F%2Flocalhost%3A3000%2F%3Fhawser-connect%3D1',
      ],
      [
        'Open in Trust Wallet',
        'https://link.trustwallet.com/open_url?coin_id=60&url=http%3A%2F%2Flocalhost%3A3000%2F%3Fhawser-connect%3D1',
      ],
    ])
    expect(screen.queryByTestId('connect-on-phone')).toBeNull()
  })

  it('hands the page over to a phone by a code to scan', async () => {
    const kit = renderPage(createKit({ connectors: [] }))
    await showView(kit, 'Connect')
    await kit.user.click(screen.getByTestId('connect-on-phone'))
    await findView('ConnectOnPhone')
    expect(screen.getByRole('img', { name: 'QR code of this page on localhost:3000' })).toBeDefined()
    expect(screen.getByText(/on this computer only/)).toBeDefined()
  })

  it('finds the wallets that the site chose, or none', async () => {
    const mine = { rdns: 'org.mine', name: 'Mine', download: 'https://mine.test/' }
    await showView(renderPage(createKit({ connectors: [], walletLinks: [mine] })), 'Connect')
    expect(hrefs().map((link) => link.href)).toEqual(['https://mine.test/'])
  })

  it('is not offered them with a wallet installed', async () => {
    await showView(renderPage(), 'Connect')
    expect(screen.queryByTestId('wallet-links')).toBeNull()
  })
})

describe('consent', () => {
  it('has to be given before a wallet can be chosen', async () => {
    const kit = renderPage(createKit({ features: { legalCheckbox: true }, ...terms }))
    await showView(kit, 'Connect')
    const wallet = screen.getByRole<HTMLButtonElement>('button', { name: /Example Wallet/ })
    expect(wallet.disabled).toBe(true)
    await kit.user.click(
      screen.getByRole('checkbox', { name: 'I agree to our terms of service and privacy policy' }),
    )
    expect(wallet.disabled).toBe(false)
  })

  it('is not required without legal texts', async () => {
    await showView(renderPage(createKit({ features: { legalCheckbox: true } })), 'Connect')
    expect(screen.queryByTestId('w3m-legal-checkbox')).toBeNull()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /Example Wallet/ }).disabled).toBe(false)
  })

  it('is implied by connecting when the site has texts but no checkbox', async () => {
    await showView(renderPage(createKit(terms)), 'Connect')
    expect(screen.getByText(/By connecting your wallet, you agree to our/)).toBeDefined()
    expect(screen.getByRole('link', { name: 'Terms of Service' }).getAttribute('href')).toBe(
      terms.termsConditionsUrl,
    )
  })
})

describe('the guide', () => {
  it('explains what a wallet is', async () => {
    const kit = renderPage()
    await showView(kit, 'Connect')
    await kit.user.click(screen.getByTestId('w3m-wallet-guide-get-started'))
    await findView('WhatIsAWallet')
    expect(screen.getByText('One login for every app')).toBeDefined()
    await kit.user.click(screen.getByTestId('get-wallet'))
    expect(kit.eventNames()).toContain('CLICK_GET_WALLET')
    await findView('GetWallet')
    expect(screen.getByRole('link', { name: 'MetaMask' })).toBeDefined()
  })

  it('can be switched off', async () => {
    await showView(renderPage(createKit({ enableWalletGuide: false })), 'Connect')
    expect(screen.queryByTestId('w3m-wallet-guide-get-started')).toBeNull()
  })
})
