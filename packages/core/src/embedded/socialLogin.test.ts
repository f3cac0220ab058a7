import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { selectAccount } from '../chain/selectors.ts'
import { openModal } from '../modal/modal.ts'
import { goBack } from '../router/navigate.ts'
import { type Browser, stubWindows } from '../testing/buying.ts'
import { settle } from '../testing/fakeClock.ts'
import { createFakeEmbeddedWallet, whenUserIsRead } from '../testing/fakeEmbeddedWallet.ts'
import { deferred } from '../testing/fakeWallet.ts'
import { createKit } from '../testing/kit.ts'
import {
  isSocialWindowClosed,
  LoginCancelled,
  leaveFarcaster,
  leaveSocial,
  loginWithFarcaster,
  loginWithSocial,
  reopenSocial,
  selectSocial,
} from './socialLogin.ts'

const URI = 'https://wallet.test/loading?provider=google'
/** How the fake window reports a page that can reach the one that opened it. */
const WITH_OPENER = `${URI} with an opener`
let browser: Browser

beforeEach(() => {
  browser = stubWindows()
})

afterEach(() => {
  vi.unstubAllGlobals()
})

function openKit() {
  const frame = createFakeEmbeddedWallet()
  const kit = createKit({}, frame)
  kit.hawser.mount()
  openModal(kit.hawser)
  const progress = { blocked: vi.fn(), closed: vi.fn(), left: vi.fn(), retrieving: vi.fn() }
  return {
    ...kit,
    frame,
    progress,
    view: () => kit.hawser.router.getState().view,
    account: () => selectAccount(kit.hawser.chain.getState()),
  }
}

describe('a social login', () => {
  it('goes through a window that is opened within the click', async () => {
    const { hawser, frame, view, account, progress, eventNames } = openKit()
    selectSocial(hawser, 'google')
    expect(browser.windows).toHaveLength(1)
    expect(view()).toBe('ConnectingSocial')
    await loginWithSocial(hawser, 'google', progress)
    await whenUserIsRead(hawser)
    expect(browser.windows[0]?.location.shown).toEqual(['', WITH_OPENER])
    expect(frame.frameCalls).toContainEqual({ name: 'connectSocial', argument: URI })
    expect(progress.retrieving).toHaveBeenCalledOnce()
    expect(account()).toMatchObject({
      status: 'connected',
      socialProvider: 'google',
      socialWindow: undefined,
    })
    expect(eventNames().filter((name) => name.startsWith('SOCIAL'))).toEqual([
      'SOCIAL_LOGIN_STARTED',
      'SOCIAL_LOGIN_REQUEST_USER_DATA',
      'SOCIAL_LOGIN_SUCCESS',
    ])
  })

  it('waits for a click where the browser blocked the window', async () => {
    browser.isBlocking = true
    const { hawser, frame, progress } = openKit()
    frame.frameAnswers.connectSocial = () => new Promise(() => undefined)
    selectSocial(hawser, 'google')
    void loginWithSocial(hawser, 'google', progress)
    await settle()
    browser.isBlocking = false
    progress.blocked.mock.calls[0]?.[0]()
    expect(browser.windows[0]?.location.shown).toEqual(['', WITH_OPENER])
  })

  it('still completes when the provider cuts the connection to its window', async () => {
    const { hawser, frame, progress, account } = openKit()
    const login = deferred<unknown>()
    frame.frameAnswers.connectSocial = () => login.promise
    selectSocial(hawser, 'google')
    const done = loginWithSocial(hawser, 'google', progress)
    await settle()
    if (browser.windows[0]) browser.windows[0].closed = true
    expect(isSocialWindowClosed(hawser)).toBe(true)
    frame.frameAnswers.isConnected = () => true
    frame.answers.eth_requestAccounts = () => [frame.user.address]
    login.resolve(frame.user)
    await done
    expect(account().status).toBe('connected')
  })

  it.each([
    ['SOCIAL_CANCELED', LoginCancelled, 'SOCIAL_LOGIN_CANCELED'],
    ['SOCIAL_FAILED', Error, 'SOCIAL_LOGIN_ERROR'],
  ])(
    'ends with what the gateway says: %s, whether its window is closed or not',
    async (reason, kind, event) => {
      for (const closed of [false, true]) {
        const { hawser, frame, clock, progress, eventNames } = openKit()
        const login = deferred<unknown>()
        frame.frameAnswers.connectSocial = () => login.promise
        selectSocial(hawser, 'google')
        const done = loginWithSocial(hawser, 'google', progress).catch((error: unknown) => error)
        await settle()
        const window = browser.windows.at(-1) ?? expect.fail('no window')
        window.closed = closed
        await clock.advance(1_000)
        login.reject(Object.assign(new Error('The login ended'), { reason }))
        const error = await done
        expect(error).toBeInstanceOf(kind)
        expect(error instanceof LoginCancelled).toBe(reason === 'SOCIAL_CANCELED')
        expect(eventNames().at(-1)).toBe(event)
      }
    },
  )

  it('says when its window is closed, and when it stays so for three seconds', async () => {
    const { hawser, frame, clock, progress } = openKit()
    frame.frameAnswers.connectSocial = () => new Promise(() => undefined)
    selectSocial(hawser, 'google')
    void loginWithSocial(hawser, 'google', progress)
    await settle()
    await clock.advance(10_000)
    expect(progress.closed).not.toHaveBeenCalled()
    if (browser.windows[0]) browser.windows[0].closed = true
    await clock.advance(1_000)
    expect(progress.closed).toHaveBeenCalledOnce()
    await clock.advance(2_000)
    expect(progress.left).not.toHaveBeenCalled()
    await clock.advance(1_000)
    expect(progress.left).toHaveBeenCalledOnce()
    leaveSocial(hawser, 'google')
    await clock.advance(10_000)
    expect(progress.left).toHaveBeenCalledOnce()
  })

  it('ends after 5 seconds without the frame, and closes its empty window', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { hawser, frame, clock, progress } = openKit()
    frame.frameAnswers.load = () => new Promise(() => undefined)
    selectSocial(hawser, 'google')
    const failed = expect(loginWithSocial(hawser, 'google', progress)).rejects.toThrow(
      'Unable to load email login dependency',
    )
    await settle()
    await clock.advance(5_000)
    await failed
    expect(browser.windows[0]?.closed).toBe(true)
  })

  it('that is left connects nothing', async () => {
    const { hawser, frame, clock, progress, account, eventNames } = openKit()
    const login = deferred<unknown>()
    frame.frameAnswers.connectSocial = () => login.promise
    selectSocial(hawser, 'google')
    void loginWithSocial(hawser, 'google', progress)
    await settle()
    leaveSocial(hawser, 'google')
    await clock.advance(0)
    login.resolve(frame.user)
    await settle()
    expect(account()).toMatchObject({ status: 'disconnected', socialProvider: undefined })
    expect(eventNames().at(-1)).toBe('SOCIAL_LOGIN_CANCELED')
  })

  it.each([
    ['is closed while it is empty', () => new Promise(() => undefined), true],
    ['is left to the provider once it shows its page', () => ({ uri: URI }), false],
  ])('has a window that %s', async (_, getUri, isClosed) => {
    const { hawser, frame, clock, progress } = openKit()
    frame.frameAnswers.getSocialRedirectUri = getUri
    frame.frameAnswers.connectSocial = () => new Promise(() => undefined)
    selectSocial(hawser, 'google')
    void loginWithSocial(hawser, 'google', progress)
    await settle()
    leaveSocial(hawser, 'google')
    await clock.advance(0)
    expect(browser.windows[0]?.closed).toBe(isClosed)
  })

  it('can be tried again in another window', async () => {
    const { hawser, frame, clock, progress, account } = openKit()
    frame.frameAnswers.connectSocial = () => {
      throw new Error('The provider refused')
    }
    selectSocial(hawser, 'google')
    await expect(loginWithSocial(hawser, 'google', progress)).rejects.toThrow('The provider refused')
    delete frame.frameAnswers.connectSocial
    reopenSocial(hawser)
    leaveSocial(hawser, 'google')
    await loginWithSocial(hawser, 'google', progress)
    await clock.advance(0)
    expect(browser.windows[1]?.location.shown).toEqual(['', WITH_OPENER])
    expect(progress.blocked).not.toHaveBeenCalled()
    expect(account().status).toBe('connected')
  })

  it('passes on its failure', async () => {
    const { hawser, frame, progress, eventNames } = openKit()
    frame.frameAnswers.connectSocial = () => {
      throw new Error('The provider refused')
    }
    selectSocial(hawser, 'google')
    await expect(loginWithSocial(hawser, 'google', progress)).rejects.toThrow('The provider refused')
    expect(eventNames().at(-1)).toBe('SOCIAL_LOGIN_ERROR')
  })

  it('opens no address but of the web', async () => {
    const { hawser, frame, progress } = openKit()
    frame.frameAnswers.getSocialRedirectUri = () => ({ uri: 'javascript:alert(1)' })
    selectSocial(hawser, 'google')
    await expect(loginWithSocial(hawser, 'google', progress)).rejects.toThrow('Something went wrong')
    expect(browser.windows[0]?.location.shown).toEqual([''])
  })
})

describe('a Farcaster login', () => {
  it('shows the link until the app approves it', async () => {
    const { hawser, frame, view, account } = openKit()
    const approved = deferred<unknown>()
    frame.frameAnswers.connectFarcaster = () => approved.promise
    selectSocial(hawser, 'farcaster')
    expect(view()).toBe('ConnectingFarcaster')
    expect(browser.windows).toEqual([])
    const login = loginWithFarcaster(hawser, { retrieving: () => undefined })
    await settle()
    expect(account().farcasterUrl).toBe('https://farcaster.test/~/siwf?channelToken=1')
    frame.answers.eth_requestAccounts = () => [frame.user.address]
    approved.resolve({ userName: 'ada' })
    await login
    await whenUserIsRead(hawser)
    expect(account()).toMatchObject({ status: 'connected', socialProvider: 'farcaster' })
  })

  it('goes back with a toast when it fails', async () => {
    const { hawser, frame, view } = openKit()
    frame.frameAnswers.connectFarcaster = () => {
      throw new Error('The channel expired')
    }
    selectSocial(hawser, 'farcaster')
    await loginWithFarcaster(hawser, { retrieving: () => undefined })
    expect(view()).toBe('Connect')
    expect(hawser.toast.getState().message).toBe('The channel expired')
  })

  it('without an account resets the wallet 100 ms after it is left', async () => {
    const { hawser, frame, clock, account } = openKit()
    frame.frameAnswers.connectFarcaster = () => new Promise(() => undefined)
    selectSocial(hawser, 'farcaster')
    void loginWithFarcaster(hawser, { retrieving: () => undefined })
    await settle()
    goBack(hawser)
    leaveFarcaster(hawser)
    await clock.advance(99)
    expect(frame.namesOfCalls()).not.toContain('reset')
    await clock.advance(1)
    expect(frame.namesOfCalls()).toContain('reset')
    expect(account()).toMatchObject({ farcasterUrl: undefined, socialProvider: undefined })
  })

  it('keeps the wallet when it is connected', async () => {
    const { hawser, frame, clock } = openKit()
    selectSocial(hawser, 'farcaster')
    await loginWithFarcaster(hawser, { retrieving: () => undefined })
    leaveFarcaster(hawser)
    await clock.advance(100)
    expect(frame.namesOfCalls()).not.toContain('reset')
  })
})
