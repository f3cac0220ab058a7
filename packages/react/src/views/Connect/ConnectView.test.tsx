// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { createKit } from '../../../../core/src/testing/kit.ts'
import { findView, renderPage, showView } from '../../testing/openKit.tsx'

const terms = { termsConditionsUrl: 'https://site.test/terms', privacyPolicyUrl: 'https://site.test/privacy' }

describe('the wallets', () => {
  it('are listed with what is known of them', async () => {
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
    await showView(renderPage(createKit({ connectors: [] })), 'Connect')
    expect(screen.getByTestId('no-wallet-found').textContent).toContain('Install a wallet extension')
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
    expect(screen.getByText('Nothing to connect with')).toBeDefined()
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

  it('is not asked for without texts to agree with', async () => {
    await showView(renderPage(createKit({ features: { legalCheckbox: true } })), 'Connect')
    expect(screen.queryByTestId('w3m-legal-checkbox')).toBeNull()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /Example Wallet/ }).disabled).toBe(false)
  })

  it('is implied by connecting when the site has texts and asks for no tick', async () => {
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
    expect(screen.getByText('One login for all of web3')).toBeDefined()
  })

  it('can be switched off', async () => {
    await showView(renderPage(createKit({ enableWalletGuide: false })), 'Connect')
    expect(screen.queryByTestId('w3m-wallet-guide-get-started')).toBeNull()
  })
})
