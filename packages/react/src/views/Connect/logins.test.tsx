// @vitest-environment jsdom

import { type HawserOptions, openModal, type Social } from '@hawser/core'
import { createFakeEmbeddedWallet, createFakeWallet, createKit, offer } from '@hawser/core/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { setLocale } from '../../locale/setLocale.ts'
import { de } from '../../locales/de.ts'
import { loginFeature } from '../../modal/loginFeature.ts'
import { blockedInTelegram } from '../../parts/logins/useLogins.ts'
import { findView, renderPage } from '../../testing/openKit.tsx'

interface Site extends Partial<HawserOptions> {
  socials?: readonly Social[]
  isWalletInstalled?: boolean
}

/** Opens a page of a site with an embedded wallet, on the view Connect with its logins loaded. */
async function openConnect({ socials, isWalletInstalled = false, ...options }: Site = {}) {
  const frame = createFakeEmbeddedWallet({ ...(socials && { socials }) })
  const connectors = isWalletInstalled ? [offer(createFakeWallet()), offer(frame)] : [offer(frame)]
  const page = renderPage(createKit({ connectors, walletLinks: [], ...options }, frame))
  act(() => openModal(page.hawser))
  const view = await findView('Connect')
  await waitFor(() => expect(view.querySelector('[role=status] .hw-skeleton')).toBeNull(), { timeout: 4000 })
  return { ...page, frame, view }
}

const logos = () =>
  [...document.querySelectorAll('.hw-social-logo')].map((logo) => logo.getAttribute('aria-label'))
const email = () => screen.getByTestId<HTMLInputElement>('wui-email-input')

/** Returns what a visitor sees from top to bottom. */
function order(view: HTMLElement): string[] {
  const parts = view.querySelectorAll(
    '[data-testid=wui-email-input], [data-testid=w3m-social-login-widget], [data-testid=wallet-list], .hw-separator',
  )
  return [...parts].map((part) => (part as HTMLElement).dataset.testid ?? part.textContent ?? '')
}

// The first import of a chunk can take longer than the default timeout of a query.
beforeAll(async () => {
  await loginFeature.load()
})

beforeEach(() => {
  vi.spyOn(window, 'open').mockReturnValue(null)
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the logins', () => {
  it('come before the wallets for a visitor without one', async () => {
    const { view } = await openConnect()
    expect(order(view).slice(0, 2)).toEqual(['wui-email-input', 'w3m-social-login-widget'])
  })

  it('come after the wallets that are installed, with a separator', async () => {
    const { view } = await openConnect({ isWalletInstalled: true })
    expect(order(view)).toEqual(['wallet-list', 'or', 'wui-email-input', 'w3m-social-login-widget'])
  })

  it('can be in another order', async () => {
    const { view } = await openConnect({
      isWalletInstalled: true,
      features: { connectMethodsOrder: ['social', 'wallet', 'email'] },
    })
    expect(order(view)).toEqual(['w3m-social-login-widget', 'or', 'wallet-list', 'or', 'wui-email-input'])
  })

  it('can be turned off', async () => {
    const { view } = await openConnect({
      isWalletInstalled: true,
      features: { email: false, socials: false },
    })
    expect(order(view)).toEqual(['wallet-list'])
  })

  it('are those that the gateway is configured for', async () => {
    const frame = createFakeEmbeddedWallet({ socials: ['google', 'x'] })
    const kit = createKit({ connectors: [offer(frame)], walletLinks: [] }, frame)
    kit.gateway.features = { logins: { email: false, socials: ['x'] } }
    const page = renderPage(kit)
    act(() => openModal(page.hawser))
    await findView('Connect')
    await waitFor(() => expect(screen.queryByTestId('social-selector-google')).toBeNull())
    await screen.findByTestId('social-selector-x')
    expect(screen.queryByTestId('wui-email-input')).toBeNull()
  })

  it('can hide the wallets', async () => {
    const { view } = await openConnect({ isWalletInstalled: true, features: { emailShowWallets: false } })
    expect(order(view)).toEqual(['wui-email-input', 'w3m-social-login-widget'])
  })

  it('are disabled until the legal texts are accepted', async () => {
    const { user } = await openConnect({
      features: { legalCheckbox: true },
      termsConditionsUrl: 'https://site.test/terms',
    })
    expect(email().disabled).toBe(true)
    expect(screen.getByTestId<HTMLButtonElement>('social-selector-google').disabled).toBe(true)
    await user.click(screen.getByTestId('w3m-legal-checkbox'))
    expect(email().disabled).toBe(false)
  })

  it.each<[Social[], string | undefined, string[]]>([
    [['github'], 'Continue with GitHub', []],
    [['google', 'x'], undefined, ['Continue with Google', 'Continue with X']],
    [['google', 'x', 'apple'], 'Continue with Google', ['Continue with X', 'Continue with Apple']],
    [
      ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook'],
      'Continue with Google',
      [
        'Continue with X',
        'Continue with Discord',
        'Continue with Farcaster',
        'Continue with GitHub',
        'More socials',
      ],
    ],
  ])('show the social ones %j', async (socials, named, others) => {
    const { view } = await openConnect({ socials })
    expect(view.querySelector('.hw-socials > .hw-button')?.textContent ?? undefined).toBe(named)
    expect(logos()).toEqual(others)
  })

  it('show all social ones in a view of their own', async () => {
    const { user } = await openConnect()
    await user.click(screen.getByTestId('social-selector-more'))
    const view = await findView('ConnectSocials')
    expect(view.querySelectorAll('.hw-list-item')).toHaveLength(7)
    expect(screen.getByTestId('w3m-header-text').textContent).toBe('All socials')
  })

  it.each([
    ['Mozilla/5.0 (Linux; Android 14)', ['facebook', 'x']],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)', ['google']],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X)', ['x']],
    ['Mozilla/5.0 (X11; Linux x86_64)', []],
  ])('leave out providers that refuse Telegram in %s', (agent, blocked) => {
    expect(blockedInTelegram(agent)).toEqual(blocked)
  })
})

describe('the email', () => {
  it('is sent with Enter, and its code connects', async () => {
    const { user, hawser, eventNames } = await openConnect()
    await user.type(email(), 'ada@example.com{Enter}')
    await findView('EmailVerifyOtp')
    expect(screen.getByText('ada@example.com')).toBeDefined()
    const code = screen.getByRole('textbox', { name: 'Six-digit code' })
    expect(document.activeElement).toBe(code)
    await user.type(code, '123456')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(hawser.connection.getState().status).toBe('connected')
    expect(eventNames()).toContain('EMAIL_LOGIN_SELECTED')
    expect(eventNames().filter((name) => name === 'EMAIL_LOGIN_SELECTED')).toHaveLength(1)
  })

  it('can be sent by a button once it has more than three letters', async () => {
    const { user } = await openConnect()
    await user.type(email(), 'ada')
    expect(screen.queryByRole('button', { name: 'Continue with email' })).toBeNull()
    await user.type(email(), '@example.com')
    await user.click(screen.getByRole('button', { name: 'Continue with email' }))
    await findView('EmailVerifyOtp')
  })

  it('that is invalid is not sent', async () => {
    const { user, frame } = await openConnect()
    await user.type(email(), 'nobody{Enter}')
    expect(await screen.findByText('Invalid email. Try again.')).toBeDefined()
    expect(email().getAttribute('aria-invalid')).toBe('true')
    expect(frame.frameCalls).toEqual([])
  })

  it.each(['１２３４５６', '١٢٣٤٥٦'])('takes a code in the digits %s', async (digits) => {
    const { user, frame } = await openConnect()
    await user.type(email(), 'ada@example.com{Enter}')
    await findView('EmailVerifyOtp')
    await user.type(screen.getByTestId('wui-otp-input'), digits)
    await waitFor(() => expect(JSON.stringify(frame.frameCalls)).toContain('"123456"'))
  })

  it('with a wrong code says so and clears it', async () => {
    const { user } = await openConnect()
    await user.type(email(), 'ada@example.com{Enter}')
    await findView('EmailVerifyOtp')
    const code = screen.getByTestId<HTMLInputElement>('wui-otp-input')
    await user.type(code, '000000')
    expect((await screen.findByTestId('otp-error')).textContent).toBe('Invalid code. Try Again')
    expect(code.value).toBe('')
  })

  it('can be sent again after 30 seconds', async () => {
    const { user, advance, frame } = await openConnect()
    await user.type(email(), 'ada@example.com{Enter}')
    await findView('EmailVerifyOtp')
    const resend = screen.getByTestId<HTMLButtonElement>('email-resend')
    expect(resend.textContent).toBe('Resend in 30s')
    await advance(29_000)
    expect(resend.textContent).toBe('Resend in 1s')
    expect(resend.disabled).toBe(true)
    await advance(1_000)
    expect(resend.textContent).toBe('Resend code')
    await user.click(resend)
    await waitFor(() =>
      expect(frame.namesOfCalls().filter((name) => name === 'connectEmail')).toHaveLength(2),
    )
    expect(await screen.findByText('Code email resent')).toBeDefined()
  })

  it('from a new device waits for its link, and shows the words to compare', async () => {
    const { user, frame } = await openConnect()
    let approve: (value?: unknown) => void = () => undefined
    frame.emailAction = 'VERIFY_DEVICE'
    frame.frameAnswers.connectDevice = () => new Promise((resolve) => (approve = resolve))
    await user.type(email(), 'ada@example.com{Enter}')
    await findView('EmailVerifyDevice')
    expect(screen.getByTestId('device-words').textContent).toBe('amber anchor')
    act(() => approve())
    await findView('EmailVerifyOtp')
  })
})

describe('a social login', () => {
  it('shows how far it is, and its failure with another attempt', async () => {
    const { hawser, user, frame } = await openConnect()
    let fail: (error: Error) => void = () => undefined
    frame.frameAnswers.connectSocial = () => new Promise((_, reject) => (fail = reject))
    await user.click(screen.getByTestId('social-selector-google'))
    await findView('ConnectingSocial')
    expect(screen.getByText('Log in with Google')).toBeDefined()
    expect(screen.getByTestId('w3m-header-text').textContent).toBe('Google')
    await waitFor(() => expect(frame.namesOfCalls()).toContain('connectSocial'))
    act(() => fail(new Error('The provider refused')))
    expect(await screen.findByText('The provider refused')).toBeDefined()
    await user.click(screen.getByTestId('w3m-connecting-widget-secondary-button'))
    const refused = new Error('The service is temporarily unavailable')
    act(() => fail(Object.assign(refused, { reason: 'SERVICE_UNAVAILABLE' })))
    expect(await screen.findByText('The service is temporarily unavailable')).toBeDefined()
    await act(() => setLocale(hawser, de))
    expect(screen.getByText('Der Dienst ist vorübergehend nicht verfügbar')).toBeDefined()
    await act(() => setLocale(hawser, 'en'))
    delete frame.frameAnswers.connectSocial
    await user.click(screen.getByTestId('w3m-connecting-widget-secondary-button'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('offers another try and other ways once the window stays closed', async () => {
    const popup = { closed: false, document: { documentElement: { style: {} }, body: { style: {} } } }
    vi.mocked(window.open).mockReturnValue({ ...popup, location: { replace() {} }, close() {} } as never)
    const { user, frame, advance } = await openConnect()
    frame.frameAnswers.connectSocial = () => new Promise(() => undefined)
    await user.click(screen.getByTestId('social-selector-google'))
    const view = await findView('ConnectingSocial')
    await waitFor(() => expect(frame.namesOfCalls()).toContain('connectSocial'))
    await advance(5_000)
    expect(screen.queryByText('You closed the window')).toBeNull()
    Object.assign(vi.mocked(window.open).mock.results[0]?.value, { closed: true })
    await advance(1_000)
    expect(view.querySelector('.hw-waiting')?.getAttribute('data-state')).toBe('active')
    await advance(3_000)
    expect(screen.getByText('You closed the window')).toBeDefined()
    expect(view.querySelector('.hw-waiting')?.getAttribute('data-state')).toBe('idle')
    await user.click(screen.getByTestId('w3m-connecting-widget-secondary-button'))
    expect(screen.queryByText('You closed the window')).toBeNull()
    await advance(4_000)
    await user.click(screen.getByTestId('waiting-other'))
    await findView('Connect')
  })

  it('whose frame is not loaded say so below the field, with another try', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { user, frame, advance, hawser } = await openConnect()
    frame.frameAnswers.load = () => new Promise(() => undefined)
    await user.type(email(), 'ada@example.com{Enter}')
    await waitFor(() => expect(frame.namesOfCalls()).toContain('load'))
    await advance(5_000)
    expect(await screen.findByText('Unable to load email login dependency')).toBeDefined()
    expect(hawser.toast.getState().open).toBe(false)
    delete frame.frameAnswers.load
    await user.click(screen.getByTestId('email-retry'))
    await findView('EmailVerifyOtp')
  })

  it('offers to open the window that the browser blocked', async () => {
    const { user, frame } = await openConnect()
    frame.frameAnswers.connectSocial = () => new Promise(() => undefined)
    await user.click(screen.getByTestId('social-selector-google'))
    expect((await screen.findByTestId('social-open')).textContent).toBe('Open Google')
  })

  it('with Farcaster shows a code to scan', async () => {
    const { user, frame } = await openConnect()
    frame.frameAnswers.connectFarcaster = () => new Promise(() => undefined)
    await user.click(screen.getByTestId('social-selector-farcaster'))
    await findView('ConnectingFarcaster')
    expect(await screen.findByRole('img', { name: 'QR code that logs in with Farcaster' })).toBeDefined()
    await user.click(screen.getByTestId('header-back'))
    await findView('Connect')
  })
})
