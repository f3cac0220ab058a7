// @vitest-environment jsdom

import { createConnectedKit, createKit, deferred, devnet } from '@hawser/core/testing'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findView, renderConnected, renderPage } from '../testing/openKit.tsx'
import { ConnectButton } from './ConnectButton.tsx'
import { NetworkButton } from './NetworkButton.tsx'

describe('the connect button', () => {
  it('opens the wallets', async () => {
    const { user } = renderPage()
    await user.click(screen.getByRole('button', { name: 'Connect wallet' }))
    await findView('Connect')
    expect(screen.getByRole('dialog', { name: 'Connect wallet' })).toBeDefined()
  })

  it('accepts custom labels', () => {
    renderPage(createKit(), <ConnectButton label="Sign in" />)
    expect(screen.getByTestId('connect-button').textContent).toBe('Sign in')
  })

  it('becomes the account button once connected', async () => {
    await renderConnected()
    const button = await screen.findByTestId('account-button')
    expect(button.textContent).toContain('0xf39F…2266')
    expect(screen.queryByTestId('connect-button')).toBeNull()
  })

  it('survives a translation of the page, which replaces its text', async () => {
    const kit = createKit()
    kit.wallet.answers.eth_requestAccounts = () => deferred().promise
    const { user } = renderPage(kit)
    const [text] = screen.getByText('Connect wallet').childNodes
    const translated = document.createElement('font')
    translated.textContent = 'Wallet verbinden'
    text?.replaceWith(translated)
    await user.click(screen.getByTestId('connect-button'))
    await findView('Connect')
    await user.click(screen.getByRole('button', { name: /Example Wallet/ }))
    await waitFor(() => expect(screen.getByTestId('connect-button').textContent).toBe('Connecting...'))
  })

  it('says so while a wallet prompts', async () => {
    const kit = createKit()
    kit.wallet.answers.eth_requestAccounts = () => deferred().promise
    const { user } = renderPage(kit)
    await user.click(screen.getByTestId('connect-button'))
    await findView('Connect')
    await user.click(screen.getByRole('button', { name: /Example Wallet/ }))
    await waitFor(() => expect(screen.getByTestId('connect-button').textContent).toBe('Connecting...'))
  })

  it('hands its state to a button of the site’s own', async () => {
    const { user } = renderPage(
      createKit(),
      <ConnectButton.Custom>
        {({ account, open }) => (
          <button type="button" onClick={open}>
            {account.isConnected ? 'In' : 'Out'}
          </button>
        )}
      </ConnectButton.Custom>,
    )
    await user.click(screen.getByText('Out'))
    await findView('Connect')
  })

  it('hands it name, balance and network of a connected account, and opens the networks', async () => {
    const kit = await createConnectedKit()
    kit.gateway.node.eth_getBalance = () => '0xde0b6b3a7640001'
    const { user } = renderPage(
      kit,
      <ConnectButton.Custom>
        {({ displayName, balance, network, isSupported, isHydrated, openNetworks }) => (
          <button type="button" onClick={openNetworks}>
            {[displayName, balance, network?.name, isSupported, isHydrated].join(' | ')}
          </button>
        )}
      </ConnectButton.Custom>,
    )
    const button = await screen.findByText('0xf39F…2266 | 1.000000000000000001 ETH | Devnet | true | true')
    await user.click(button)
    await findView('Networks')
  })
})

describe('when the code of the account button does not arrive', () => {
  afterEach(() => {
    vi.doUnmock('./AccountButton.tsx')
    vi.restoreAllMocks()
  })

  it('a button that opens the account is shown until its code is loaded', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    vi.doMock('./AccountButton.tsx', () => {
      throw new TypeError('Failed to fetch dynamically imported module')
    })
    const { user } = await renderConnected()
    const button = await screen.findByRole('button', { name: 'Account' })

    vi.doUnmock('./AccountButton.tsx')
    await user.click(button)
    await findView('Account')
    await screen.findByTestId('account-button')
  })
})

describe('the account button', () => {
  it('shows the native balance, exact in its title', async () => {
    const kit = await createConnectedKit()
    kit.gateway.node.eth_getBalance = () => '0xde0b6b3a7640001'
    const { user } = await renderConnected({}, kit)
    await user.click(await screen.findByTestId('account-button'))
    await findView('Account')
    await waitFor(() => expect(screen.getAllByTitle('1.000000000000000001 ETH').length).toBeGreaterThan(0))
  })

  it('opens the networks when the wallet is on one that the site does not list', async () => {
    const kit = createKit({ networks: [devnet] })
    kit.wallet.chainId = 5
    const { user } = renderPage(kit)
    await user.click(screen.getByTestId('connect-button'))
    await findView('Connect')
    await user.click(screen.getByRole('button', { name: /Example Wallet/ }))
    await findView('UnsupportedChain')
  })
})

describe('the network button', () => {
  it('names the network and opens the choice', async () => {
    const { user } = renderPage(createKit(), <NetworkButton />)
    const button = screen.getByTestId('w3m-network-button')
    expect(button.textContent).toContain('Devnet')
    await user.click(button)
    await findView('Networks')
  })

  it('offers to switch on an unsupported network', async () => {
    const kit = await createConnectedKit({ allowUnsupportedChain: true })
    kit.wallet.chainId = 5
    kit.wallet.emit('chainChanged', '0x5')
    renderPage(kit, <NetworkButton />)
    await waitFor(() => expect(screen.getByTestId('w3m-network-button').textContent).toBe('Switch network'))
  })

  it('is not there when the site does not let visitors switch', () => {
    renderPage(createKit({ enableNetworkSwitch: false }), <NetworkButton />)
    expect(screen.queryByTestId('w3m-network-button')).toBeNull()
  })
})
