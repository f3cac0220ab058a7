// @vitest-environment jsdom

import type { CaipNetworkId } from '@hawser/core'
import { createConnectedKit, walletError } from '@hawser/core/testing'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { findView, type OpenKit, renderConnected, renderPage, showView } from '../../testing/openKit.tsx'

const network = (name: string) => screen.getByTestId(`w3m-network-switch-${name}`)

describe('the networks', () => {
  it('show which one is in use', async () => {
    await showView(renderPage(), 'Networks')
    expect(network('Devnet').getAttribute('aria-current')).toBe('true')
    expect(network('Devnet Two').getAttribute('aria-current')).toBeNull()
  })

  it('are found by name, whatever the case', async () => {
    const kit = renderPage()
    await showView(kit, 'Networks')
    await kit.user.type(screen.getByRole('searchbox', { name: 'Search network' }), ' TWO')
    expect(screen.queryByTestId('w3m-network-switch-Devnet')).toBeNull()
    expect(network('Devnet Two')).toBeDefined()
  })

  it('say when none is found', async () => {
    const kit = renderPage()
    await showView(kit, 'Networks')
    await kit.user.type(screen.getByRole('searchbox'), 'nowhere')
    expect(screen.getByText('No network found')).toBeDefined()
    expect(screen.getByText('Nothing matches “nowhere”.')).toBeDefined()
  })

  it('say what the wallet may not support only while one is connected', async () => {
    await showView(renderPage(), 'Networks')
    expect(screen.queryByText(/Your connected wallet/)).toBeNull()
    cleanup()
    await showView(renderPage(await createConnectedKit()), 'Networks')
    expect(screen.getByText(/^Your connected wallet may not support/)).toBeDefined()
  })

  it('are changed at once while no wallet is connected', async () => {
    const kit = renderPage()
    await showView(kit, 'Networks')
    await kit.user.click(network('Devnet Two'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(kit.hawser.chain.getState().activeCaipNetwork?.name).toBe('Devnet Two')
  })
})

describe('switching with a wallet', () => {
  it('switches through the wallet and goes back to the account', async () => {
    const kit = await renderConnected()
    await kit.user.click(await screen.findByTestId('account-button'))
    await findView('Account')
    await kit.user.click(screen.getByTestId('w3m-account-select-network'))
    await findView('Networks')
    await kit.user.click(network('Devnet Two'))
    await findView('Account')
    expect(kit.wallet.chainId).toBe(31338)
  })

  it('says that the switch was declined, and tries again', async () => {
    const connected = await createConnectedKit()
    const { wallet_switchEthereumChain: accept } = connected.wallet.answers
    connected.wallet.answers.wallet_switchEthereumChain = () => {
      throw walletError(4001, 'User rejected the request.')
    }
    const kit = renderPage(connected)
    await showView(kit, 'Networks')
    await kit.user.click(network('Devnet Two'))
    await findView('SwitchNetwork')
    const label = await screen.findByText('You declined.')
    expect(label.closest('[data-state]')?.getAttribute('data-state')).toBe('idle')
    if (accept) connected.wallet.answers.wallet_switchEthereumChain = accept
    await kit.user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(kit.wallet.chainId).toBe(31338))
  })

  it.each([
    [-32002, 'Your wallet is already asking. Open it to continue.'],
    [-32603, 'Your wallet doesn’t accept this network. Choose another one.'],
    [-32000, 'Your wallet didn’t switch. Open it, then try again.'],
  ])('distinguishes a wallet that fails with %i from a declined request', async (code, text) => {
    const connected = await createConnectedKit()
    connected.wallet.answers.wallet_switchEthereumChain = () => {
      throw walletError(code, 'raw text of the wallet')
    }
    const kit = renderPage(connected)
    await showView(kit, 'Networks')
    await kit.user.click(network('Devnet Two'))
    await screen.findByText('Network not switched')
    expect(screen.getByText(text)).toBeDefined()
    expect(screen.queryByText('raw text of the wallet')).toBeNull()
  })
})

describe('with a session of a wallet', () => {
  function approve(page: OpenKit, id: CaipNetworkId) {
    const chains = new Map(page.hawser.chain.getState().chains)
    const record = chains.get('eip155')
    if (!record) return
    const networkState = {
      ...record.networkState,
      supportsAllNetworks: false,
      approvedCaipNetworkIds: [id],
    }
    act(() => page.hawser.chain.setState({ chains: chains.set('eip155', { ...record, networkState }) }))
  }
  const rows = () => screen.getAllByTestId<HTMLButtonElement>(/^w3m-network-switch-/)

  it('the approved networks are first', async () => {
    const page = renderPage(await createConnectedKit())
    await showView(page, 'Networks')
    approve(page, 'eip155:31338')
    expect(rows().map(({ textContent }) => textContent?.replace('Testnet', ''))).toEqual([
      'Devnet Two',
      'Devnet',
    ])
  })

  it('the others are disabled', async () => {
    const page = renderPage(await createConnectedKit())
    await showView(page, 'Networks')
    expect(rows().map(({ disabled }) => disabled)).toEqual([false, false])
    approve(page, 'eip155:31337')
    expect(rows().map(({ disabled }) => disabled)).toEqual([false, true])
  })
})
