import { afterEach, describe, expect, it, vi } from 'vitest'
import { selectAccount } from '../chain/selectors.ts'
import { disconnect } from '../connection/disconnect.ts'
import { openModal } from '../modal/modal.ts'
import { items } from '../storage/items.ts'
import { settle } from '../testing/fakeClock.ts'
import { createFakeEmbeddedWallet, whenUserIsRead } from '../testing/fakeEmbeddedWallet.ts'
import { ALICE, deferred } from '../testing/fakeWallet.ts'
import { createKit } from '../testing/kit.ts'
import type { HawserOptions } from '../types/options.ts'
import {
  emailCooldown,
  leaveDevice,
  loginWithEmail,
  resendEmail,
  verifyEmailCode,
  waitForDevice,
} from './emailLogin.ts'

const EMAIL = 'ada@example.com'

function openKit(options: Partial<HawserOptions> = {}, frame = createFakeEmbeddedWallet()) {
  const kit = createKit(options, frame)
  kit.hawser.mount()
  openModal(kit.hawser)
  return { ...kit, frame, view: () => kit.hawser.router.getState().view }
}

async function loggedIn(options?: Partial<HawserOptions>, frame = createFakeEmbeddedWallet()) {
  const kit = openKit(options, frame)
  await loginWithEmail(kit.hawser, EMAIL)
  await verifyEmailCode(kit.hawser, '123456')
  await whenUserIsRead(kit.hawser)
  return kit
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('an email login', () => {
  it('sends a code, verifies it, and connects', async () => {
    const { hawser, frame, view, eventNames } = openKit()
    expect(await loginWithEmail(hawser, ` ${EMAIL} `)).toBeUndefined()
    expect(view()).toBe('EmailVerifyOtp')
    expect(hawser.router.getState().data).toEqual({ email: EMAIL })
    await verifyEmailCode(hawser, '123456')
    await whenUserIsRead(hawser)

    const { address, user, allAccounts, connectedWalletInfo } = selectAccount(hawser.chain.getState())
    expect({ address, email: user?.email, type: connectedWalletInfo?.type }).toEqual({
      address: ALICE,
      email: EMAIL,
      type: 'AUTH',
    })
    expect(allAccounts).toEqual([{ address: ALICE, type: 'smartAccount' }])
    expect(hawser.chain.getState().chains.get('eip155')?.networkState.smartAccountEnabledNetworks).toEqual([
      'eip155:31337',
    ])
    expect(hawser.modal.getState().open).toBe(false)
    expect(eventNames()).toEqual([
      'MODAL_OPEN',
      'EMAIL_SUBMITTED',
      'EMAIL_VERIFICATION_CODE_SENT',
      'EMAIL_VERIFICATION_CODE_PASS',
      'CONNECT_SUCCESS',
      'MODAL_CLOSE',
    ])
    expect(frame.frameCalls).toContainEqual({
      name: 'getUser',
      argument: { chainId: 'eip155:31337', preferredAccountType: 'smartAccount' },
    })
  })

  it('introduces the site and its theme before it starts', async () => {
    const { hawser, frame } = openKit({ metadata: { name: 'Harbour' } })
    await loginWithEmail(hawser, EMAIL)
    expect(frame.namesOfCalls()).toEqual(['load', 'syncDappData', 'syncTheme', 'connectEmail'])
    expect(frame.frameCalls[1]?.argument).toMatchObject({
      projectId: '00000000000000000000000000000001',
      metadata: { name: 'Harbour' },
    })
  })

  it.each(['', 'ada', 'ada@', '@example.com', 'ada@example', 'a b@example.com', 'ada@example..com'])(
    'does not send %j',
    async (text) => {
      const { hawser, frame } = openKit()
      expect(await loginWithEmail(hawser, text)).toBe('invalid')
      expect(frame.frameCalls).toEqual([])
    },
  )

  it('of a device with a session connects at once', async () => {
    const { hawser, frame } = openKit()
    frame.emailAction = 'CONNECT'
    await loginWithEmail(hawser, EMAIL)
    expect(selectAccount(hawser.chain.getState()).status).toBe('connected')
    expect(emailCooldown(hawser)).toBe(0)
  })

  it('passes on why a code is wrong', async () => {
    const { hawser, events } = openKit()
    await loginWithEmail(hawser, EMAIL)
    await expect(verifyEmailCode(hawser, '000000')).rejects.toThrow('Invalid code')
    expect(events.at(-1)).toEqual({
      event: 'EMAIL_VERIFICATION_CODE_FAIL',
      properties: { message: 'Invalid code' },
    })
    expect(selectAccount(hawser.chain.getState()).status).toBe('disconnected')
  })

  it('shows why it could not start', async () => {
    const { hawser, frame, view } = openKit()
    frame.frameAnswers.connectEmail = () => {
      throw new Error('Too many requests')
    }
    await loginWithEmail(hawser, EMAIL)
    expect(hawser.toast.getState()).toMatchObject({ message: 'Too many requests', variant: 'error' })
    expect(view()).toBe('Connect')
    expect(emailCooldown(hawser)).toBe(0)
  })

  it.each([
    [{ reason: 'MAIL_UNAVAILABLE' }, { key: 'loginErrors.MAIL_UNAVAILABLE' }],
    [
      { reason: 'RATE_LIMITED', retrySeconds: 30 },
      { key: 'toasts.emailThrottled', values: [30] },
    ],
    [{}, { key: undefined }],
  ])('says it for every language by its reason: %j', async (parts, shown) => {
    const { hawser, frame } = openKit()
    frame.frameAnswers.connectEmail = () => {
      throw Object.assign(new Error('In English'), parts)
    }
    await loginWithEmail(hawser, EMAIL)
    expect(hawser.toast.getState()).toMatchObject({ message: 'In English', ...shown })
  })

  it('asks for another email when the gateway does not accept it', async () => {
    const { hawser, frame } = openKit()
    frame.frameAnswers.connectEmail = () => {
      throw Object.assign(new Error('Not an email of ours'), { reason: 'EMAIL_INVALID' })
    }
    expect(await loginWithEmail(hawser, EMAIL)).toBe('invalid')
    expect(hawser.toast.getState().open).toBe(false)
  })

  it('raises an alert when the frame cannot be loaded', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const { hawser, frame } = openKit({ debug: true })
    frame.frameAnswers.load = () => {
      throw Object.assign(new Error('Unable to load email login dependency'), {
        reason: 'emailLoginUnavailable',
      })
    }
    expect(await loginWithEmail(hawser, EMAIL)).toBe('unreached')
    expect(hawser.toast.getState().open).toBe(false)
    expect(hawser.alert.getState().message).toBe('Invalid App Configuration')
    expect(log).toHaveBeenCalledWith(
      expect.stringContaining('There was an issue loading the embedded wallet'),
    )
  })

  it('ends after 5 seconds without the frame, and can be tried again while that is loading', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { hawser, frame, clock, view } = openKit()
    const loading = deferred<void>()
    frame.frameAnswers.load = () => loading.promise
    const first = loginWithEmail(hawser, EMAIL)
    await settle()
    await clock.advance(5_000)
    expect(await first).toBe('unreached')
    const second = loginWithEmail(hawser, EMAIL)
    await settle()
    loading.resolve()
    expect(await second).toBeUndefined()
    expect(view()).toBe('EmailVerifyOtp')
  })

  it('raises an alert when the frame does not answer within 30 seconds', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { hawser, frame, clock } = openKit({ debug: true })
    frame.frameAnswers.connectEmail = () => new Promise(() => undefined)
    const login = loginWithEmail(hawser, EMAIL)
    await settle()
    await clock.advance(29_000)
    expect(hawser.alert.getState().open).toBe(false)
    await clock.advance(1_000)
    await login
    expect(hawser.alert.getState().message).toBe('Invalid App Configuration')
    expect(hawser.toast.getState().message).toBe('Something went wrong')
  })
})

describe('a second mail', () => {
  it('is refused for 30 seconds, rounded up', async () => {
    const { hawser, frame, clock } = openKit()
    await loginWithEmail(hawser, EMAIL)
    await clock.advance(500)
    await resendEmail(hawser, EMAIL)
    await clock.advance(200)
    expect(hawser.toast.getState().message).toBe('Please try again after 30 seconds')
    await clock.advance(29_000)
    await resendEmail(hawser, EMAIL)
    await clock.advance(200)
    expect(hawser.toast.getState().message).toBe('Please try again after 1 seconds')
    expect(frame.namesOfCalls().filter((name) => name === 'connectEmail')).toHaveLength(1)
  })

  it('is sent after that', async () => {
    const { hawser, frame, clock } = openKit()
    await loginWithEmail(hawser, EMAIL)
    await clock.advance(30_000)
    await resendEmail(hawser, EMAIL)
    expect(hawser.toast.getState().message).toBe('Code email resent')
    expect(frame.namesOfCalls().filter((name) => name === 'connectEmail')).toHaveLength(2)
    expect(emailCooldown(hawser)).toBe(30)
  })

  it('is refused on the next page load as well', async () => {
    const { hawser, storage } = openKit()
    await loginWithEmail(hawser, EMAIL)
    expect(emailCooldown(openKit({ storage }).hawser)).toBe(30)
  })

  it('is not refused because of a time that a clock ahead has stored', () => {
    const { hawser } = openKit()
    hawser.storage.write(items.lastEmailLogin, hawser.clock.now() + 86_400_000)
    expect(emailCooldown(hawser)).toBe(0)
  })

  it('may be sent at once after a login', async () => {
    const { hawser } = await loggedIn()
    expect(emailCooldown(hawser)).toBe(0)
  })
})

describe('a new device', () => {
  it('waits for the link in the mail, then for a code', async () => {
    const { hawser, frame, view, eventNames } = openKit()
    const approved = deferred<void>()
    frame.emailAction = 'VERIFY_DEVICE'
    frame.frameAnswers.connectDevice = () => approved.promise
    await loginWithEmail(hawser, EMAIL)
    expect(view()).toBe('EmailVerifyDevice')
    expect(hawser.router.getState().data).toEqual({ email: EMAIL, words: 'amber anchor' })
    const waiting = waitForDevice(hawser, EMAIL)
    approved.resolve()
    await waiting
    expect(hawser.router.getState()).toMatchObject({
      view: 'EmailVerifyOtp',
      history: ['Connect', 'EmailVerifyOtp'],
      data: { email: EMAIL },
    })
    expect(eventNames()).toEqual([
      'MODAL_OPEN',
      'EMAIL_SUBMITTED',
      'DEVICE_REGISTERED_FOR_EMAIL',
      'EMAIL_VERIFICATION_CODE_SENT',
    ])
  })

  it('that is denied goes back and says so', async () => {
    const { hawser, frame, view } = openKit()
    frame.emailAction = 'VERIFY_DEVICE'
    frame.frameAnswers.connectDevice = () => {
      throw new Error('The login was denied')
    }
    await loginWithEmail(hawser, EMAIL)
    await waitForDevice(hawser, EMAIL)
    expect(view()).toBe('Connect')
    expect(hawser.toast.getState()).toMatchObject({ message: 'The login was denied', variant: 'error' })
  })

  it('that is approved after its view was left changes nothing', async () => {
    const { hawser, frame, view } = openKit()
    const approved = deferred<void>()
    frame.emailAction = 'VERIFY_DEVICE'
    frame.frameAnswers.connectDevice = () => approved.promise
    await loginWithEmail(hawser, EMAIL)
    const waiting = waitForDevice(hawser, EMAIL)
    leaveDevice(hawser)
    approved.resolve()
    await waiting
    expect(view()).toBe('EmailVerifyDevice')
  })
})

describe('a user who is logged in', () => {
  it('is connected again after a reload, without a prompt', async () => {
    const { storage, frame } = await loggedIn()
    const { hawser } = createKit({ storage }, frame)
    hawser.mount()
    await whenUserIsRead(hawser)
    expect(selectAccount(hawser.chain.getState())).toMatchObject({
      status: 'connected',
      user: { email: EMAIL },
    })
  })

  it('is not a recent wallet', async () => {
    const { hawser } = await loggedIn()
    expect(hawser.connectors.getState().recentWallets).toEqual([])
  })

  it('is signed out of the frame by a disconnect', async () => {
    const { hawser, frame } = await loggedIn()
    await disconnect(hawser)
    expect(frame.namesOfCalls()).toContain('signOut')
    expect(selectAccount(hawser.chain.getState())).toMatchObject({ status: 'disconnected', user: undefined })
  })

  it('has the backup that was added in another tab, or in a window beside the page', async () => {
    for (const type of ['visibilitychange', 'focus']) {
      const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
      vi.stubGlobal('document', page)
      vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
      vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
      const frame = createFakeEmbeddedWallet()
      frame.user = { ...frame.user, hasBackup: false }
      const { hawser } = await loggedIn({}, frame)
      frame.user = { ...frame.user, hasBackup: true }
      page.dispatchEvent(new Event(type))
      await vi.waitFor(() =>
        expect(selectAccount(hawser.chain.getState()).user).toMatchObject({ hasBackup: true }),
      )
    }
  })

  it('has a theme that the frame follows', async () => {
    const { hawser, frame } = await loggedIn()
    hawser.theme.setState({ themeMode: 'light' })
    expect(frame.frameCalls.at(-1)).toMatchObject({ name: 'syncTheme', argument: { themeMode: 'light' } })
  })

  it('has a language that the frame follows', async () => {
    const { hawser, frame } = await loggedIn()
    hawser.options.setState({ locale: 'de' })
    expect(frame.frameCalls.at(-1)).toMatchObject({ name: 'syncTheme', argument: { locale: 'de' } })
    hawser.theme.setState({ themeMode: 'light' })
    expect(frame.frameCalls.at(-1)).toMatchObject({ argument: { themeMode: 'light', locale: 'de' } })
    hawser.options.setState({ locale: undefined })
    expect(frame.frameCalls.at(-1)?.argument).not.toHaveProperty('locale')
  })

  it.each([
    ['', 'auto'],
    ['de-AT', 'auto,de-AT'],
    ['x'.repeat(40), 'auto'],
  ])('has the language that the modal will be in, on a page in %j: %j', async (lang, locale) => {
    const { hawser, frame } = await loggedIn()
    vi.stubGlobal('document', { documentElement: { lang } })
    hawser.options.setState({ locale: 'auto' })
    expect(frame.frameCalls.at(-1)).toMatchObject({ name: 'syncTheme', argument: { locale } })
  })
})
