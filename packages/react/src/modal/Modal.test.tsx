// @vitest-environment jsdom
import { goBack, openModal, pushView, raiseAlert, showToast } from '@hawser/core'
import { createConnectedKit, createKit, devnet } from '@hawser/core/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findView, type renderConnected, renderPage, showView } from '../testing/openKit.tsx'

afterEach(() => vi.restoreAllMocks())

const title = () => screen.getByTestId('w3m-header-text').textContent

describe('the modal', () => {
  it('opens before any response of the gateway', async () => {
    const kit = createKit({ fetch: () => new Promise(() => {}) })
    await showView(renderPage(kit), 'Connect')
    expect(screen.getByTestId('wallet-list')).toBeDefined()
  })

  it.each([
    [
      'the close button',
      (user: Awaited<ReturnType<typeof renderConnected>>['user']) =>
        user.click(screen.getByTestId('w3m-header-close')),
    ],
    ['Escape', (user: Awaited<ReturnType<typeof renderConnected>>['user']) => user.keyboard('{Escape}')],
    [
      'a press outside',
      (user: Awaited<ReturnType<typeof renderConnected>>['user']) =>
        user.click(screen.getByTestId('w3m-modal-overlay')),
    ],
  ])('closes by %s and gives the focus back', async (_, close) => {
    const { user } = renderPage()
    const opener = screen.getByTestId('connect-button')
    await user.click(opener)
    await findView('Connect')
    await close(user)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(opener)
  })

  it('is named by the view it shows', async () => {
    const kit = renderPage()
    await showView(kit, 'Connect')
    expect(title()).toBe('Connect wallet')
    act(() => pushView(kit.hawser, 'WhatIsAWallet'))
    await findView('WhatIsAWallet')
    expect(screen.getByRole('dialog', { name: 'What is a wallet?' })).toBeDefined()
  })

  it('navigates forward and back, and marks the direction for the stylesheet', async () => {
    const kit = renderPage()
    await showView(kit, 'Connect')
    act(() => pushView(kit.hawser, 'WhatIsAWallet'))
    expect((await findView('WhatIsAWallet')).dataset.direction).toBe('next')
    await kit.user.click(screen.getByTestId('header-back'))
    expect((await findView('Connect')).dataset.direction).toBe('previous')
  })

  it('moves the focus to the title of a new view, so that it is read out', async () => {
    const kit = renderPage()
    await showView(kit, 'Connect')
    await kit.user.click(screen.getByTestId('w3m-header-help'))
    await findView('WhatIsAWallet')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId('w3m-header-text')))
  })

  it('in a frame, leaves the focus to the page around it', async () => {
    const kit = renderPage()
    await showView(kit, 'Connect')
    vi.spyOn(window, 'parent', 'get').mockReturnValue({} as Window)
    const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false)
    act(() => pushView(kit.hawser, 'WhatIsAWallet'))
    await findView('WhatIsAWallet')
    expect(screen.getByTestId('w3m-header-text')).not.toBe(document.activeElement)
    hasFocus.mockReturnValue(true)
    act(() => goBack(kit.hawser))
    await findView('Connect')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId('w3m-header-text')))
  })

  it('offers help only on the first view', async () => {
    const kit = renderPage()
    await showView(kit, 'Connect')
    expect(screen.getByTestId('w3m-header-help')).toBeDefined()
    act(() => pushView(kit.hawser, 'WhatIsAWallet'))
    await findView('WhatIsAWallet')
    expect(screen.queryByTestId('w3m-header-help')).toBeNull()
    act(() => goBack(kit.hawser))
    await findView('Connect')
  })
})

describe('on an unsupported network', () => {
  async function renderUnsupported() {
    const kit = await createConnectedKit({ networks: [devnet] })
    const page = renderPage(kit)
    kit.wallet.chainId = 5
    act(() => kit.wallet.emit('chainChanged', '0x5'))
    await findView('UnsupportedChain')
    return page
  }

  it('the modal shakes instead of closing', async () => {
    const { user, advance } = await renderUnsupported()
    await user.keyboard('{Escape}')
    expect(screen.getByTestId('w3m-modal-card').dataset.shaking).toBe('true')
    await advance(500)
    expect(screen.getByTestId('w3m-modal-card').dataset.shaking).toBeUndefined()
    expect(screen.getByRole('dialog')).toBeDefined()
  })

  it('says why, lists the networks and offers to disconnect', async () => {
    const { user } = await renderUnsupported()
    expect(screen.getByText(/doesn’t support your current network/)).toBeDefined()
    expect(screen.getByTestId('w3m-network-switch-Devnet')).toBeDefined()
    await user.click(screen.getByTestId('disconnect-button'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await screen.findByTestId('connect-button')).toBeDefined()
  })
})

describe('toasts', () => {
  it('are announced in the modal, replaced after 150 ms and gone after 2.5 s', async () => {
    const kit = renderPage()
    await showView(kit, 'Connect')
    act(() => showToast(kit.hawser, { message: 'Address copied', variant: 'success' }))
    expect(screen.getByTestId('wui-snackbar-message').textContent).toBe('Address copied')
    act(() => showToast(kit.hawser, { message: 'Failed to copy', variant: 'error' }))
    expect(screen.queryByTestId('wui-snackbar-message')).toBeNull()
    await kit.advance(150)
    expect(screen.getByRole('alert').textContent).toBe('Failed to copy')
    await kit.advance(2500)
    expect(screen.queryByTestId('wui-snackbar-message')).toBeNull()
  })
})

describe('alerts for the developer', () => {
  it.each([
    [true, 1],
    [false, 0],
  ])('with debug %s: %i shown', async (debug, shown) => {
    const kit = renderPage(createKit({ debug }))
    act(() => {
      openModal(kit.hawser)
      raiseAlert(kit.hawser, 'invalidProjectId')
    })
    await findView('Connect')
    expect(screen.queryAllByTestId('wui-alertbar-text')).toHaveLength(shown)
  })
})
