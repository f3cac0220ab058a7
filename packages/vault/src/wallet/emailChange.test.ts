import type { AppMessage } from '@hawser/frame/protocol'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Vault } from '../vault/vault.ts'
import { createApprovals } from './approvals.ts'
import { serveSite } from './frame.ts'
import type { Site } from './site.ts'

const EVIL = 'mallory@evil.example'
const factors = [{ id: 'f', kind: 'passkey', label: '', credentialId: 'c' }] as const

/** Serves a site whose messages are sent by `send`, which returns the answer. */
function setUp({ email = 'ada@example.com', isLegacy = false, isOpen = true } = {}) {
  const vault = {
    getUser: vi.fn(async () => ({ email })),
    unlock: vi.fn(async () => (isOpen ? { isOpen } : { isOpen, factors })),
    unlockWith: vi.fn(async () => undefined),
    startEmailChange: vi.fn(async () => 'VERIFY_PRIMARY_OTP'),
    verifyOldEmail: vi.fn(async () => undefined),
    verifyNewEmail: vi.fn(async () => ({ newEmail: EVIL, startsAt: 0 })),
  }
  const approvals = createApprovals()
  let listener: ((message: AppMessage) => void) | undefined
  const answers = new Map<string, (answer: unknown) => void>()
  const emit = vi.fn()
  const answer = (id: string, result: unknown) => answers.get(id)?.(result)
  const site = {
    origin: 'https://shop.example',
    isLegacy,
    listen: (added: typeof listener) => {
      listener = added
    },
    succeed: (_name: string, id: string, result: unknown) => answer(id, result),
    fail: (_name: string, id: string, failure: unknown) => answer(id, failure),
    emit,
  }
  const options = {
    site: site as unknown as Site,
    vault: vault as unknown as Vault,
    approvals,
    node: vi.fn(),
    bundler: { rpc: vi.fn(), call: vi.fn() },
    chainId: 'eip155:1',
    socialStart: () => '',
    accountPage: 'https://wallet.example/account',
    changeAppearance: () => undefined,
    reload: () => undefined,
  }
  serveSite(options as unknown as Parameters<typeof serveSite>[0])
  let lastId = 0
  const send = (name: AppMessage['name'], payload: unknown) =>
    new Promise((resolve) => {
      lastId += 1
      answers.set(String(lastId), resolve)
      listener?.({ name, id: String(lastId), payload })
    })
  return { vault, approvals, emit, send }
}

describe('changes of the email', () => {
  let scene: ReturnType<typeof setUp>
  beforeEach(() => {
    scene = setUp()
  })
  const refused = { message: expect.stringContaining('https://wallet.example/account') }

  it('are not made by the messages of a site alone', async () => {
    const started = scene.send('UPDATE_EMAIL', { email: EVIL })
    await vi.waitFor(() => expect(scene.approvals.current()).toBeDefined())
    expect(await scene.send('UPDATE_EMAIL_PRIMARY_OTP', { otp: '123456' })).toMatchObject(refused)
    expect(await scene.send('UPDATE_EMAIL_SECONDARY_OTP', { otp: '123456' })).toMatchObject(refused)
    scene.approvals.current()?.reject()
    expect(await started).toMatchObject({ code: 4001 })
    for (const method of ['startEmailChange', 'verifyOldEmail', 'verifyNewEmail'] as const)
      expect(scene.vault[method]).not.toHaveBeenCalled()
  })

  it('are approved in a sheet that names the new address, and then proven by the codes', async () => {
    const started = scene.send('UPDATE_EMAIL', { email: EVIL })
    await vi.waitFor(() => expect(scene.approvals.current()).toBeDefined())
    const sheet = scene.approvals.current()
    expect(sheet).toMatchObject({
      kind: 'email',
      view: { site: 'https://shop.example', oldEmail: 'ada@example.com', newEmail: EVIL },
    })
    expect(scene.emit).toHaveBeenLastCalledWith('SHOW')
    if (sheet?.kind === 'email') sheet.approve()
    expect(await started).toEqual({ action: 'VERIFY_PRIMARY_OTP' })
    expect(scene.emit).toHaveBeenLastCalledWith('HIDE')
    expect(scene.vault.unlock).toHaveBeenCalledBefore(scene.vault.startEmailChange)
    await scene.send('UPDATE_EMAIL_PRIMARY_OTP', { otp: '123456' })
    expect(await scene.send('UPDATE_EMAIL_SECONDARY_OTP', { otp: '123456' })).toEqual({ newEmail: EVIL })
    // A change ends with its second code.
    expect(await scene.send('UPDATE_EMAIL_SECONDARY_OTP', { otp: '123456' })).toMatchObject(refused)
  })

  it('open the wallet first, by a factor of the user', async () => {
    scene = setUp({ isOpen: false })
    const started = scene.send('UPDATE_EMAIL', { email: EVIL })
    await vi.waitFor(() => expect(scene.approvals.current()?.kind).toBe('email'))
    const sheet = scene.approvals.current()
    if (sheet?.kind === 'email') sheet.approve()
    await vi.waitFor(() => expect(scene.approvals.current()?.kind).toBe('unlock'))
    expect(scene.vault.startEmailChange).not.toHaveBeenCalled()
    scene.approvals.current()?.reject()
    expect(await started).toMatchObject({ code: 4001 })
    expect(scene.vault.startEmailChange).not.toHaveBeenCalled()
  })

  it.each([
    ['of a user without an email', { email: '' }],
    ['of a site with an older SDK, which does not show the frame', { isLegacy: true }],
  ])('%s are made on the page of the wallet', async (_, options) => {
    scene = setUp(options)
    expect(await scene.send('UPDATE_EMAIL', { email: EVIL })).toMatchObject(refused)
    expect(scene.approvals.current()).toBeUndefined()
    expect(scene.vault.startEmailChange).not.toHaveBeenCalled()
  })
})
