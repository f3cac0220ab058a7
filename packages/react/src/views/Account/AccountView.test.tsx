// @vitest-environment jsdom

import { fetchTokenBalance, readServedFeatures } from '@hawser/core'
import { createConnectedKit, DOLLAR, ETHER } from '@hawser/core/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { findView, renderConnected, renderPage, showView } from '../../testing/openKit.tsx'

describe('the account', () => {
  it('shows its worth, its native balance and its tokens', async () => {
    await showView(await renderConnected(), 'Account')
    expect((await screen.findByTitle('Total balance')).textContent).toBe('$2,012.50')
    expect(screen.getByTestId('token-tUSD').textContent).toContain('12.5 tUSD')
    expect(screen.getByTestId('token-tUSD').textContent).toContain('$12.50')
    // Alone, "<$0.01" would be turned around in a language from right to left.
    expect(screen.getByText('$12.50').tagName).toBe('BDI')
  })

  it('hides suspicious tokens and their value behind a row, with the reason for each', async () => {
    const kit = await createConnectedKit()
    const doubt = { ...DOLLAR, symbol: 'FREE', address: `${DOLLAR.address}1`, price: 9, value: 900 }
    kit.gateway.balances = [ETHER, { ...doubt, hidden: 'link' }]
    const page = renderPage(kit)
    await showView(page, 'Account')
    expect((await screen.findByTitle('Total balance')).textContent).toBe('$2,000.00')
    expect(screen.queryByTestId('token-FREE')).toBeNull()
    await page.user.click(screen.getByRole('button', { name: 'Show hidden (1)' }))
    expect(screen.getByTestId('token-FREE').textContent).toContain('Name advertises a website')
  })

  it('says why a token has no value, or less than its price', async () => {
    const kit = await createConnectedKit()
    const { value, ...unpriced } = { ...DOLLAR, symbol: 'NEW', address: `${DOLLAR.address}1`, price: 0 }
    const capped = { ...DOLLAR, symbol: 'CAP', address: `${DOLLAR.address}2`, price: 9, value: 100 }
    kit.gateway.balances = [
      ETHER,
      { ...unpriced, valueLimit: 'young' },
      { ...capped, valueLimit: 'sale' },
      { ...capped, symbol: 'ODD', address: `${DOLLAR.address}3`, valueLimit: 'a reason of the future' },
    ]
    await showView(renderPage(kit), 'Account')
    expect((await screen.findByTestId('token-NEW')).textContent).toContain('Market younger than an hour')
    expect(screen.getByTestId('token-CAP').textContent).toContain('Limited to what its pools would pay')
    expect(screen.getByTestId('token-CAP').textContent).toContain('$100.00')
    expect(screen.getByTestId('token-ODD').textContent).not.toContain('reason')
  })

  it('says so where the account holds more tokens than are listed', async () => {
    const kit = await createConnectedKit()
    kit.gateway.hasMoreBalances = true
    const page = renderPage(kit)
    await showView(page, 'Account')
    expect((await screen.findByTestId('tokens-partial')).textContent).toContain('more tokens')
  })

  it('says where a price comes from, and how old it is', async () => {
    const kit = await createConnectedKit()
    kit.gateway.balances = [{ ...ETHER, priceSource: 'pool', priceAge: 125 }]
    await showView(renderPage(kit), 'Account')
    await screen.findByTitle('$2,000.00 per ETH · on-chain pool · 2 min old')
  })

  it('shows no value without a price', async () => {
    const kit = await createConnectedKit()
    kit.gateway.balances = [{ ...ETHER, price: 0, value: 0 }]
    await showView(renderPage(kit), 'Account')
    await screen.findByTestId('token-ETH')
    expect(screen.queryByTitle('Total balance')).toBeNull()
    expect(screen.getByRole('dialog').textContent).not.toContain('$')
  })

  it('holds the place of tokens that are still loading', async () => {
    const kit = await createConnectedKit({ fetch: () => new Promise(() => {}) })
    await showView(renderPage(kit), 'Account')
    expect(screen.getAllByText('Loading tokens').length).toBeGreaterThan(0)
  })

  it('says where the site does not serve the network, and leads to others', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const kit = await createConnectedKit({ features: { walletFeaturesOrder: ['onramp', 'send', 'receive'] } })
    kit.hawser.gateway.features = undefined
    kit.gateway.served = ['eip155:31338']
    kit.gateway.features = { onramp: { providers: [] } }
    await act(() => readServedFeatures(kit.hawser))
    const page = renderPage(kit)
    await showView(page, 'Account')
    const note = screen.getByTestId('network-not-served')
    expect(note.textContent).toContain('Not available on this site')
    expect(note.textContent).toContain('balances and activity of Devnet')
    expect(screen.queryByRole('tablist')).toBeNull()
    expect(screen.queryByText('Balance unavailable')).toBeNull()
    const actions = within(screen.getByRole('group', { name: 'Actions' })).getAllByRole('button')
    expect(actions.map(({ textContent }) => textContent)).toEqual(['Receive'])
    await page.user.click(within(note).getByRole('button', { name: 'Switch network' }))
    await findView('Networks')
  })

  it('says where the gateway refuses the site', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const kit = await createConnectedKit()
    kit.gateway.status = 403
    const page = renderPage(kit)
    await showView(page, 'Account')
    await act(async () => void (await fetchTokenBalance(kit.hawser)))
    expect((await screen.findByTestId('token-balance-error')).textContent).toContain(
      'Not available on this site',
    )
  })

  it('says that there are none, and how to get some', async () => {
    const kit = await createConnectedKit()
    kit.gateway.balances = []
    const page = renderPage(kit)
    await showView(page, 'Account')
    await page.user.click(await screen.findByTestId('receive-funds'))
    await findView('WalletReceive')
  })

  it('says that the balance is unavailable, and lets the visitor try again after 30 s', async () => {
    const kit = await createConnectedKit()
    kit.gateway.status = 500
    const page = renderPage(kit)
    await showView(page, 'Account')
    const error = await screen.findByTestId('token-balance-error')
    expect(screen.getByRole('alert').textContent).toBe('Token Balance Unavailable')
    expect(error.querySelector('button')?.disabled).toBe(true)
    expect(error.textContent).toContain('Try again in 30 s')
    await page.advance(5_000)
    expect(error.querySelector('button')?.disabled).toBe(true)
    kit.gateway.status = 200
    await page.advance(30_000)
    await waitFor(() => expect(screen.getByTestId('token-tUSD')).toBeDefined())
  })

  it('opens its settings, which can disconnect', async () => {
    const { user } = await renderConnected()
    await user.click(await screen.findByTestId('account-button'))
    await findView('Account')
    await user.click(screen.getByTestId('account-settings-button'))
    await findView('Profile')
    expect(screen.getByRole('link', { name: 'Block explorer' }).getAttribute('href')).toContain(
      'https://explorer.test/',
    )
    await user.click(screen.getByTestId('disconnect-button'))
    await screen.findByTestId('connect-button')
  })
})

describe('the actions', () => {
  const labels = () =>
    [...screen.getByTestId('w3m-account-wallet-features-widget').querySelectorAll('button')].map(
      (button) => button.textContent,
    )

  it('are those that exist, in the site’s order', async () => {
    await showView(await renderConnected(), 'Account')
    expect(labels()).toEqual(['Buy', 'Swap', 'Receive', 'Send'])
  })

  it('follow the features of the site', async () => {
    await showView(await renderConnected({ features: { receive: false } }), 'Account')
    expect(labels()).toEqual(['Buy', 'Swap', 'Send'])
  })

  it('are not there when there is nothing to do', async () => {
    await showView(
      await renderConnected({ features: { onramp: false, swaps: false, receive: false, send: false } }),
      'Account',
    )
    expect(screen.queryByTestId('w3m-account-wallet-features-widget')).toBeNull()
  })
})
