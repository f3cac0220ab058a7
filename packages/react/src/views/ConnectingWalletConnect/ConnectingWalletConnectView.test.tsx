// @vitest-environment jsdom

import { PAIRING_LIFETIME_MS, type SelectedWallet } from '@hawser/core'
import { walletError } from '@hawser/core/testing'
import { Qr } from '@hawser/ui'
import { act, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findView, showView } from '../../testing/openKit.tsx'
import { type PairingPage, renderPairing } from '../../testing/openPairing.tsx'

const rainbow: SelectedWallet = {
  id: 'ff'.repeat(32),
  name: 'Rainbow',
  homepage: 'https://rainbow.test',
  appStore: 'https://apps.test/rainbow',
  browserLink: 'https://rainbow.test/dapp?url={url}',
  links: { mobile: 'rainbow://' },
  relays: ['own'],
}

const code = () => screen.findByTestId('wui-qr-code')
const uri = () => screen.getByTestId('copy-wc2-uri').title

async function openPairing(wallet?: SelectedWallet, page = renderPairing()): Promise<PairingPage> {
  await showView(page, 'ConnectingWalletConnect', wallet && { wallet })
  return page
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('a code', () => {
  it('is offered to any wallet, and connects the one that approves it', async () => {
    const page = await openPairing()
    expect((await code()).getAttribute('aria-label')).toBe('QR code that connects a wallet')
    expect(uri()).toBe('wc:0@2')
    expect(screen.getByTestId('pairing-reach').textContent).toContain('this site’s relay')
    act(() => page.phone.pairings[0]?.approve())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await screen.findByTestId('account-button')).toBeDefined()
  })

  it('names the wallet that was selected, and where to get it', async () => {
    await openPairing(rainbow)
    expect((await code()).getAttribute('aria-label')).toBe('QR code that connects Rainbow')
    expect(screen.getByText('Scan with Rainbow on your phone')).toBeDefined()
    expect(screen.getByTestId<HTMLAnchorElement>('pairing-get').href).toBe('https://rainbow.test/')
  })

  it('is renewed when it expires, and not for ever', async () => {
    const page = await openPairing()
    await code()
    for (const expected of ['wc:1@2', 'wc:2@2', 'wc:3@2']) {
      await page.advance(PAIRING_LIFETIME_MS)
      await waitFor(() => expect(uri()).toBe(expected))
    }
    await page.advance(PAIRING_LIFETIME_MS)
    expect(screen.getByText('This code has expired')).toBeDefined()
    await page.user.click(screen.getByTestId('pairing-renew'))
    await waitFor(() => expect(uri()).toBe('wc:4@2'))
  })

  it('is not renewed in a hidden tab', async () => {
    const page = await openPairing()
    await code()
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    await page.advance(PAIRING_LIFETIME_MS)
    expect(screen.getByText('This code has expired')).toBeDefined()
    expect(page.phone.pairings).toHaveLength(1)
  })

  it('that was declined can be offered again', async () => {
    const page = await openPairing()
    await code()
    act(() => page.phone.pairings[0]?.reject(walletError(5000, 'No.')))
    await screen.findByText('You declined.')
    await page.user.click(screen.getByTestId('w3m-connecting-widget-secondary-button'))
    await waitFor(() => expect(uri()).toBe('wc:1@2'))
  })

  it('that no relay accepts says so', async () => {
    const page = renderPairing()
    page.phone.pairError = new Error('socket closed')
    await openPairing(undefined, page)
    await screen.findByText(/The relay can’t be reached/)
    page.phone.pairError = undefined
    await page.user.click(screen.getByTestId('w3m-connecting-widget-secondary-button'))
    await code()
  })
})

describe('a wallet that no relay of the site reaches', () => {
  const stock = { ...rainbow, relays: ['public'] } as const

  it('has a code for the phone’s camera that opens it, then digits to compare', async () => {
    const page = await openPairing(stock)
    expect((await code()).getAttribute('aria-label')).toBe('QR code that connects Rainbow')
    expect(screen.getByText('Scan with your phone’s camera')).toBeDefined()
    expect(uri()).toBe('https://gateway.test/open/0')
    const walletLink = `https://rainbow.test/dapp?url=${encodeURIComponent(uri())}`
    expect((await code()).querySelector('path')?.outerHTML).toBe(
      render(
        <Qr text={walletLink} label="">
          R
        </Qr>,
      ).container.querySelector('path')?.outerHTML,
    )
    const [handoff] = page.phone.handoffs
    act(() => handoff?.open('012345'))
    expect((await screen.findByTestId('handoff-digits')).textContent).toBe('012\u00a0345')
    expect(screen.getByText('Your number: 0 1 2 3 4 5')).toBeDefined()
    expect(screen.getByText('Does Rainbow show the same number?')).toBeDefined()
    expect(handoff?.isConfirmed).toBe(false)
    const warning =
      'Another device opened this code too, and was refused. Go on only if Rainbow shows this number.'
    expect(screen.queryByText(warning)).toBeNull()
    act(() => handoff?.scanAgain())
    expect((await screen.findByText(warning)).role).toBe('alert')
    await page.user.click(screen.getByTestId('handoff-confirm'))
    expect(handoff?.isConfirmed).toBe(true)
    expect(screen.getByText('Continue in Rainbow')).toBeDefined()
    await page.advance(PAIRING_LIFETIME_MS)
    expect(screen.getByText('Continue in Rainbow')).toBeDefined()
    act(() => handoff?.approve())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(page.phone.pairings).toHaveLength(0)
  })

  it('is not connected when the digits differ, and has a new code then', async () => {
    const page = await openPairing(stock)
    await code()
    act(() => page.phone.handoffs[0]?.open('111111'))
    await page.user.click(await screen.findByTestId('handoff-differ'))
    expect(screen.getByText(/someone else may have opened the link/)).toBeDefined()
    expect(page.phone.handoffs[0]?.isCancelled).toBe(true)
    expect(screen.queryByText(/works on this computer only/)).toBeNull()
    await page.user.click(screen.getByTestId('w3m-connecting-widget-secondary-button'))
    await waitFor(() => expect(uri()).toBe('https://gateway.test/open/1'))
  })

  it('is offered a new code only by a tap once its digits have expired', async () => {
    const page = await openPairing(stock)
    await code()
    act(() => page.phone.handoffs[0]?.open('111111'))
    await screen.findByTestId('handoff-digits')
    await page.advance(PAIRING_LIFETIME_MS)
    expect(await screen.findByText('This code has expired')).toBeDefined()
    expect(page.phone.handoffs).toHaveLength(1)
  })

  it('has no code where the gateway starts no hand-offs for this page', async () => {
    const page = renderPairing()
    page.phone.pairError = Object.assign(new Error('refused'), { code: 'permission_denied' })
    await openPairing(stock, page)
    expect((await screen.findByTestId('pairing-unreachable')).textContent).toContain(
      'Rainbow can’t be reached',
    )
  })

  it('has no code without a link into its browser, but where to get it', async () => {
    const { browserLink: _, ...rest } = stock
    const page = await openPairing(rest)
    expect(screen.getByTestId('pairing-unreachable').textContent).toContain('Rainbow can’t be reached')
    expect(screen.queryByTestId('wui-qr-code')).toBeNull()
    expect(screen.getByTestId<HTMLAnchorElement>('pairing-get').href).toBe('https://rainbow.test/')
    expect([...page.phone.pairings, ...page.phone.handoffs]).toHaveLength(0)
  })

  it('opens this page in its own browser on a phone', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone)')
    await openPairing(stock)
    expect(screen.getByTestId<HTMLAnchorElement>('pairing-open-browser').href).toBe(
      `https://rainbow.test/dapp?url=${encodeURIComponent(`${location.href}?hawser-connect=1`)}`,
    )
    expect(screen.getByTestId<HTMLAnchorElement>('pairing-get').href).toBe('https://apps.test/rainbow')
  })

  it('opens this page by a scheme of its app when it has no other link', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone)')
    const { browserLink: _, ...rest } = stock
    await openPairing({ ...rest, browserScheme: 'rainbow://dapp?url={url}' })
    const link = screen.getByTestId<HTMLAnchorElement>('pairing-open-browser')
    expect(link.href).toBe(`rainbow://dapp?url=${encodeURIComponent(`${location.href}?hawser-connect=1`)}`)
    expect(link.target).toBe('_top')
  })
})

describe('a request that the page of a wallet does not answer', () => {
  it('is shown in place of the view, which is kept', async () => {
    const page = renderPairing()
    await showView(page, 'Networks')
    const wallet = { href: 'https://rainbow.test/dapp?url=x', name: 'Rainbow', isOpenedForIt: false }
    act(() => page.hawser.connection.setState({ silentWallet: wallet }))
    const notice = await screen.findByTestId('silent-wallet')
    expect(notice.textContent).toContain('Open Rainbow again')
    expect(screen.getByRole('img', { name: 'QR code that opens Rainbow again' })).toBeDefined()
    expect(document.activeElement?.textContent).toBe('Open Rainbow again')
    const view = document.querySelector<HTMLElement>('[data-view=Networks]')
    expect(view?.hidden).toBe(true)
    act(() => page.hawser.connection.setState({ silentWallet: undefined }))
    expect(screen.queryByTestId('silent-wallet')).toBeNull()
    expect(document.querySelector<HTMLElement>('[data-view=Networks]')).toBe(view)
    expect(view?.hidden).toBe(false)
    expect(document.activeElement?.textContent).toBe('Choose network')
  })

  it('keeps the focus when the view behind it changes', async () => {
    const page = renderPairing()
    await showView(page, 'Networks')
    const wallet = { href: 'https://rainbow.test/dapp?url=x', name: 'Rainbow', isOpenedForIt: false }
    act(() => page.hawser.connection.setState({ silentWallet: wallet }))
    await screen.findByTestId('silent-wallet')
    await showView(page, 'WhatIsANetwork')
    expect(document.activeElement?.textContent).toBe('Open Rainbow again')
    act(() => page.hawser.connection.setState({ silentWallet: undefined }))
    expect(document.activeElement?.textContent).toBe('What is a network?')
  })
})

describe('on a phone', () => {
  const open = vi.fn()
  const button = () => screen.findByTestId('w3m-connecting-widget-secondary-button')
  const label = () => document.querySelector('dialog .hw-waiting-label')?.textContent
  beforeEach(() => {
    open.mockReset()
    vi.stubGlobal('open', open)
  })
  const visit = (agent: string) => vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent)

  it('the wallet’s app is opened with the pairing by a tap', async () => {
    visit('Mozilla/5.0 (Linux; Android 15)')
    const page = await openPairing(rainbow)
    await waitFor(() => expect(page.hawser.connection.getState().wcUri).toBe('wc:0@2'))
    expect(open).not.toHaveBeenCalled()
    await page.user.click(await button())
    expect(open).toHaveBeenCalledWith('rainbow://wc?uri=wc%3A0%402', '_self', 'noreferrer noopener')
    expect(screen.getByText('Accept the connection request in the wallet')).toBeDefined()
  })

  it('the return from the app is shown for five seconds', async () => {
    visit('Mozilla/5.0 (Linux; Android 15)')
    const page = await openPairing(rainbow)
    await waitFor(() => expect(page.hawser.connection.getState().wcUri).toBeDefined())
    await page.user.click(await button())
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(label()).toBe('Connecting...')
    await page.advance(5_000)
    expect(label()).toBe('Continue in Rainbow')
  })

  it('of Apple the pairing is prepared with the list, and the app opens with the tap on its row', async () => {
    visit('Mozilla/5.0 (iPhone)')
    const page = renderPairing({}, [
      { id: rainbow.id, name: 'Rainbow', mobile_link: 'rainbow://', relays: ['own'] },
    ])
    await showView(page, 'Connect')
    await waitFor(() => expect(page.hawser.connection.getState().wcUri).toBe('wc:0@2'))
    await page.user.click(await screen.findByTestId(`wallet-selector-featured-${rainbow.id}`))
    await findView('ConnectingWalletConnect')
    await waitFor(() => expect(open).toHaveBeenCalledTimes(1))
    expect(page.phone.pairings).toHaveLength(1)
  })
})
