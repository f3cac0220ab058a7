import { describe, expect, it, vi } from 'vitest'
import { isSmartAccount } from '../account/account.ts'
import { preferredAccountType, selectAccount } from '../chain/selectors.ts'
import { openModal } from '../modal/modal.ts'
import { settle } from '../testing/fakeClock.ts'
import { createFakeEmbeddedWallet, whenUserIsRead } from '../testing/fakeEmbeddedWallet.ts'
import { deferred } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit } from '../testing/kit.ts'
import { setPreferredAccountType } from './accountType.ts'
import { changeEmail, editEmail, verifyNewEmail, verifyOldEmail } from './emailChange.ts'
import { loginWithEmail } from './emailLogin.ts'
import { connectMethods, offeredLogins } from './logins.ts'

async function loggedIn() {
  const frame = createFakeEmbeddedWallet()
  frame.emailAction = 'CONNECT'
  const kit = createKit({}, frame)
  kit.hawser.mount()
  await loginWithEmail(kit.hawser, 'ada@example.com')
  await whenUserIsRead(kit.hawser)
  openModal(kit.hawser)
  return { ...kit, frame, view: () => kit.hawser.router.getState().view }
}

describe('the type of account', () => {
  it('is switched in the wallet and stored, with a new connection', async () => {
    const { hawser, frame, storage, events } = await loggedIn()
    expect(isSmartAccount(hawser)).toBe(true)
    await setPreferredAccountType(hawser, 'eoa', 'eip155')
    expect(frame.frameCalls).toContainEqual({ name: 'setPreferredAccount', argument: 'eoa' })
    expect(isSmartAccount(hawser)).toBe(false)
    expect(events.at(-1)).toEqual({
      event: 'SET_PREFERRED_ACCOUNT_TYPE',
      properties: { accountType: 'eoa', network: 'eip155:31337' },
    })
    const next = createKit({ storage }, frame)
    next.hawser.mount()
    await vi.waitFor(() => expect(preferredAccountType(next.hawser, 'eip155')).toBe('eoa'))
  })

  it('shows that it is loading until the wallet has answered', async () => {
    const { hawser, frame } = await loggedIn()
    const answered = deferred<unknown>()
    frame.frameAnswers.setPreferredAccount = () => answered.promise
    const switching = setPreferredAccountType(hawser, 'eoa')
    await settle()
    expect(hawser.modal.getState().loading).toBe(true)
    answered.resolve({})
    await switching
    expect(hawser.modal.getState().loading).toBe(false)
  })

  it('stays as it was when the wallet refuses', async () => {
    const { hawser, frame, eventNames } = await loggedIn()
    frame.frameAnswers.setPreferredAccount = () => {
      throw new Error('Not on this network')
    }
    await setPreferredAccountType(hawser, 'eoa')
    expect(preferredAccountType(hawser, 'eip155')).toBe('smartAccount')
    expect(hawser.modal.getState().loading).toBe(false)
    expect(hawser.toast.getState()).toMatchObject({ message: 'Not on this network', variant: 'error' })
    expect(eventNames()).not.toContain('SET_PREFERRED_ACCOUNT_TYPE')
  })

  it('is what the wallet says of it on this network', async () => {
    const { hawser, frame } = await loggedIn()
    frame.user = { ...frame.user, preferredAccountType: 'eoa', chainId: 'eip155:31338' }
    frame.emit('chainChanged', '0x7a6a')
    await vi.waitFor(() => expect(isSmartAccount(hawser)).toBe(false))
    expect(preferredAccountType(hawser, 'eip155')).toBe('smartAccount')
  })

  it('cannot be switched without an embedded wallet', async () => {
    const { hawser } = await createConnectedKit()
    await expect(setPreferredAccountType(hawser, 'eoa')).rejects.toThrow(
      'Address or auth connector not found',
    )
  })
})

describe('a change of email', () => {
  it('takes the code of the old mailbox, then that of the new one', async () => {
    const { hawser, view } = await loggedIn()
    editEmail(hawser)
    expect(view()).toBe('UpdateEmailWallet')
    await changeEmail(hawser, 'ada@example.org')
    expect(view()).toBe('UpdateEmailPrimaryOtp')
    await expect(verifyOldEmail(hawser, '000000', 'ada@example.org')).rejects.toThrow('Invalid code')
    await verifyOldEmail(hawser, '123456', 'ada@example.org')
    expect(hawser.router.getState()).toMatchObject({
      view: 'UpdateEmailSecondaryOtp',
      history: ['Account', 'UpdateEmailWallet', 'UpdateEmailSecondaryOtp'],
      data: { newEmail: 'ada@example.org' },
    })
    await verifyNewEmail(hawser, '123456')
    expect(view()).toBe('Account')
    expect(selectAccount(hawser.chain.getState()).user?.email).toBe('ada@example.org')
  })

  it('starts with the new mailbox if the wallet says so', async () => {
    const { hawser, frame, view } = await loggedIn()
    frame.frameAnswers.updateEmail = () => ({ action: 'VERIFY_SECONDARY_OTP' })
    await changeEmail(hawser, 'ada@example.org')
    expect(view()).toBe('UpdateEmailSecondaryOtp')
  })

  it('does not start with an invalid address', async () => {
    const { hawser, frame } = await loggedIn()
    expect(await changeEmail(hawser, 'ada')).toBe('invalid')
    expect(frame.namesOfCalls()).not.toContain('updateEmail')
  })
})

describe('the logins of a site', () => {
  const features = { ...createKit().hawser.options.getState().features }

  it('are those that its wallet has and its features leave on, in the order of the features', () => {
    const { connector } = createFakeEmbeddedWallet({ socials: ['google', 'github'] })
    const offered = offeredLogins(
      { allConnectors: [connector] },
      { ...features, socials: ['x', 'github', 'google'] },
      {},
    )
    expect(offered).toMatchObject({ email: true, socials: ['github', 'google'] })
  })

  it('are none without an embedded wallet, or when they are turned off', () => {
    const { connector } = createFakeEmbeddedWallet()
    expect(offeredLogins({ allConnectors: [] }, features, {})).toMatchObject({ email: false, socials: [] })
    const off = { ...features, email: false, socials: false } as const
    expect(offeredLogins({ allConnectors: [connector] }, off, {})).toMatchObject({
      email: false,
      socials: [],
    })
  })

  it('come before wallets, unless one is installed or the site sets an order', async () => {
    const { hawser } = createKit()
    expect(connectMethods(features, hawser.connectors.getState())).toEqual(['email', 'social', 'wallet'])
    hawser.mount()
    expect(connectMethods(features, hawser.connectors.getState())).toEqual(['wallet', 'email', 'social'])
    const ordered = { ...features, connectMethodsOrder: ['social'] } as const
    expect(connectMethods(ordered, hawser.connectors.getState())).toEqual(['social', 'wallet', 'email'])
  })
})
