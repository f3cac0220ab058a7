import type { AppMessage } from '@hawser/frame/protocol'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Vault } from '../../vault/vault.ts'
import { createApprovals } from '../approvals.ts'
import { serveSite } from '../frame.ts'
import type { Site } from '../site.ts'

const SITE = 'https://shop.example'
const bob = { namespace: 'eip155', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', name: 'Bob' }
const factors = [{ id: 'f', kind: 'passkey', label: '', credentialId: 'c' }] as const

interface Scene {
  isLegacy?: boolean
  isOpen?: boolean
  isSignedIn?: boolean
  shared?: readonly string[]
}

/** Serves a site whose messages are sent by `send`, which returns the answer. */
function setUp({ isLegacy = false, isOpen = true, isSignedIn = true, shared = [] }: Scene = {}) {
  const sites = new Set(shared)
  let hasOpened = isOpen
  const vault = {
    isSignedIn: vi.fn(async () => isSignedIn),
    listContactSites: vi.fn(async () => [...sites]),
    shareContacts: vi.fn(async (site: string) => void sites.add(site)),
    unlock: vi.fn(async () => (hasOpened ? { isOpen: true } : { isOpen: false, factors })),
    unlockWith: vi.fn(async () => {
      hasOpened = true
    }),
    listContacts: vi.fn(async () => [bob]),
    changeContacts: vi.fn(async () => [bob]),
    signOut: vi.fn(async () => undefined),
  }
  const approvals = createApprovals()
  let listener: ((message: AppMessage) => void) | undefined
  const answers = new Map<string, (answer: unknown) => void>()
  const emit = vi.fn()
  const answer = (_name: string, id: string, result: unknown) => answers.get(id)?.(result)
  const site = {
    origin: SITE,
    isLegacy,
    listen: (added: typeof listener) => {
      listener = added
    },
    succeed: answer,
    fail: answer,
    emit,
  }
  const options = {
    site: site as unknown as Site,
    vault: vault as unknown as Vault,
    approvals,
    node: vi.fn(),
    bundler: { rpc: vi.fn(), call: vi.fn() },
    chainId: 'eip155:1',
  }
  serveSite(options as unknown as Parameters<typeof serveSite>[0])
  let lastId = 0
  const send = (name: AppMessage['name'], payload?: unknown) =>
    new Promise((resolve) => {
      lastId += 1
      answers.set(String(lastId), resolve)
      listener?.({ name, id: String(lastId), payload })
    })
  const sheet = async () => {
    await vi.waitFor(() => expect(approvals.current()).toBeDefined())
    return approvals.current()
  }
  return { vault, approvals, emit, send, sheet }
}

describe('the contacts of the wallet', () => {
  let scene: ReturnType<typeof setUp>
  beforeEach(() => {
    scene = setUp()
  })

  it('are not told to a site that does not ask the user', async () => {
    expect(await scene.send('GET_CONTACTS')).toEqual({ contacts: null })
    expect(scene.approvals.current()).toBeUndefined()
    expect(await scene.send('CHANGE_CONTACTS', { changes: [bob] })).toMatchObject({ code: 4100 })
    for (const method of ['unlock', 'listContacts', 'changeContacts'] as const)
      expect(scene.vault[method]).not.toHaveBeenCalled()
  })

  it('are told once the user agrees in a sheet that names the site, and then without it', async () => {
    const asked = scene.send('GET_CONTACTS', { ask: true })
    const sheet = await scene.sheet()
    expect(sheet).toMatchObject({ kind: 'contacts', view: { site: SITE } })
    expect(scene.emit).toHaveBeenLastCalledWith('SHOW')
    expect(scene.vault.listContacts).not.toHaveBeenCalled()
    if (sheet?.kind === 'contacts') sheet.approve()
    expect(await asked).toEqual({ contacts: [bob] })
    expect(scene.emit).toHaveBeenLastCalledWith('HIDE')
    expect(await scene.send('GET_CONTACTS')).toEqual({ contacts: [bob] })
    expect(await scene.send('GET_CONTACTS', { ask: true })).toEqual({ contacts: [bob] })
    const changes = [{ ...bob, name: 'Robert' }]
    expect(await scene.send('CHANGE_CONTACTS', { changes })).toEqual({ contacts: [bob] })
    expect(scene.vault.changeContacts).toHaveBeenCalledExactlyOnceWith(changes)
  })

  it('stay with the user who declines', async () => {
    const asked = scene.send('GET_CONTACTS', { ask: true })
    ;(await scene.sheet())?.reject()
    expect(await asked).toMatchObject({ code: 4001, reason: 'declined' })
    expect(scene.vault.shareContacts).not.toHaveBeenCalled()
    expect(scene.vault.unlock).not.toHaveBeenCalled()
  })

  it('are not shared by the answer to the sheet of a user who has signed out', async () => {
    const asked = scene.send('GET_CONTACTS', { ask: true })
    await scene.sheet()
    await scene.send('SIGN_OUT')
    expect(await asked).toMatchObject({ code: 4001 })
    expect(scene.vault.shareContacts).not.toHaveBeenCalled()
  })

  it('need the wallet, which is opened by a factor of the user', async () => {
    scene = setUp({ isOpen: false, shared: [SITE] })
    expect(await scene.send('GET_CONTACTS')).toEqual({ contacts: null })
    const asked = scene.send('GET_CONTACTS', { ask: true })
    const sheet = await scene.sheet()
    expect(sheet?.kind).toBe('unlock')
    if (sheet?.kind === 'unlock') await sheet.submit('f', { kind: 'password', password: 'p' })
    expect(await asked).toEqual({ contacts: [bob] })
  })

  it.each([
    ['of a user who is not signed in', { isSignedIn: false, shared: [SITE] }],
    ['of an older SDK, which does not show the frame', { isLegacy: true, shared: [SITE] }],
  ])('are not told to the site %s', async (_, options) => {
    scene = setUp(options)
    expect(await scene.send('GET_CONTACTS', { ask: true })).toMatchObject({ code: 4100 })
    expect(await scene.send('CHANGE_CONTACTS', { changes: [] })).toMatchObject({ code: 4100 })
    expect(scene.approvals.current()).toBeUndefined()
    expect(scene.vault.listContacts).not.toHaveBeenCalled()
  })
})
