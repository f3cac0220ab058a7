import { describe, expect, it } from 'vitest'
import { createFakeWalletService, type FakeWalletService } from '../testing/fakeWalletService.ts'
import { EMAIL, passkey, persistentStore, signIn, vaultOf, vaultsOf } from '../testing/vaults.ts'

const SITE = 'https://shop.example'
const OTHER_SITE = 'https://market.example'
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const alice = { namespace: 'eip155', address: ALICE, name: 'Alice' }
const CAROL = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const carol = { namespace: 'eip155', address: CAROL, name: 'Carol' }
const bob = { namespace: 'eip155', address: BOB, name: 'Bob' }

/** Opens the vaults of two devices of one user. `intercept` is called before each write of the second one. */
async function twoDevices(intercept: (service: FakeWalletService) => unknown = () => undefined) {
  const service = createFakeWalletService()
  const first = await vaultOf(service)
  await signIn(first)
  await first.ensureWallet()
  await first.addFactor(passkey(1))
  const second = await vaultOf({
    ...service,
    async fetch(input, init) {
      if (String(input).includes('SetContacts')) await intercept(service)
      return service.fetch(input, init)
    },
  })
  await signIn(second)
  const state = await second.unlock()
  if (!state.isOpen) await second.unlockWith(state.factors[0]?.id ?? '', passkey(1))
  const stored = () => service.users.get(EMAIL)?.contacts
  const writes = () => service.calls.filter(({ path }) => path.endsWith('SetContacts')).length
  return { service, first, second, stored, writes }
}

describe('the contacts of a wallet', () => {
  it('are the same on every device', async () => {
    const { first, second, stored } = await twoDevices()
    expect(await first.listContacts()).toEqual([])
    expect(await first.changeContacts([bob, alice])).toEqual([bob, alice])
    expect(await second.listContacts()).toEqual([bob, alice])
    expect(await second.changeContacts([{ namespace: 'eip155', address: BOB }])).toEqual([alice])
    expect(await first.listContacts()).toEqual([alice])
    expect(stored()?.version).toBe(2)
  })

  it('are not in clear in anything that the service gets', async () => {
    const { service, first } = await twoDevices()
    await first.changeContacts([{ ...bob, name: 'Zebulon' }])
    const sent = service.calls.map(({ body }) => body).join()
    const clear = atob(JSON.parse(service.calls.at(-1)?.body ?? '').blob)
    for (const secret of ['Zebulon', BOB, BOB.slice(2)]) {
      expect(sent).not.toContain(secret)
      expect(clear).not.toContain(secret)
    }
  })

  it('that another device wrote meanwhile are merged', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined
    const { first, second, writes } = await twoDevices(async () => {
      await meanwhile?.()
      meanwhile = undefined
    })
    await first.changeContacts([bob])
    meanwhile = () => first.changeContacts([alice, { namespace: 'eip155', address: BOB }])
    expect(await second.changeContacts([carol])).toEqual([carol, alice])
    expect(await first.listContacts()).toEqual([carol, alice])
    expect(writes()).toBe(4)
  })

  it('are written five times at most', async () => {
    const { first, second, writes } = await twoDevices((service) => {
      const user = service.users.get(EMAIL)
      if (user) user.contacts = { version: (user.contacts?.version ?? 0) + 1, blob: '' }
    })
    await expect(second.changeContacts([bob])).rejects.toMatchObject({ reason: 'CONTACTS_CHANGED' })
    expect(writes()).toBe(5)
    expect(await first.listContacts()).toEqual([])
  })

  it('that cannot be read are never overwritten', async () => {
    const { service, first, second, stored } = await twoDevices()
    await first.changeContacts([bob])
    const user = service.users.get(EMAIL)
    const damaged = { version: 1, blob: btoa('damaged') }
    if (user) user.contacts = damaged
    await expect(second.listContacts()).rejects.toMatchObject({ reason: 'contactsDamaged' })
    await expect(second.changeContacts([alice])).rejects.toMatchObject({ reason: 'contactsDamaged' })
    expect(stored()).toBe(damaged)
  })

  it('are at most 500', async () => {
    const { first, stored } = await twoDevices()
    const many = Array.from({ length: 501 }, (_, at) => ({
      namespace: 'eip155',
      address: `0x${at.toString(16).padStart(40, '0')}`,
      name: 'C',
    }))
    await expect(first.changeContacts(many)).rejects.toMatchObject({ reason: 'contactsFull' })
    expect(stored()).toBeUndefined()
    expect(await first.changeContacts(many.slice(1))).toHaveLength(500)
  })

  it('have plain names, and addresses without spaces', async () => {
    const { first } = await twoDevices()
    const [contact] = await first.changeContacts([{ ...bob, name: ' Bob\u202e\n of the bank ' }])
    expect(contact?.name).toBe('Bob of the bank')
    for (const change of [
      { ...bob, name: '\u200b' },
      { ...bob, name: 'a'.repeat(65) },
      { ...bob, address: 'a b' },
      { ...bob, address: '' },
      { ...bob, namespace: 'EIP155' },
    ])
      await expect(first.changeContacts([change])).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  it('need the opened wallet', async () => {
    const { first } = await twoDevices()
    await first.lock()
    await expect(first.listContacts()).rejects.toMatchObject({ key: 'locked' })
    await expect(first.changeContacts([bob])).rejects.toMatchObject({ key: 'locked' })
  })

  it('need it from a page that has to open it itself', async () => {
    const service = createFakeWalletService()
    const serve = await vaultsOf(service)
    const frame = serve(false)
    await signIn(frame)
    await frame.ensureWallet()
    await frame.addFactor(passkey(1))
    await expect(serve(true).listContacts()).rejects.toMatchObject({ key: 'locked' })
  })
})

describe('a site that the contacts are shared with', () => {
  it('is remembered until that or the session is ended', async () => {
    const service = createFakeWalletService()
    const store = persistentStore()
    const vault = await vaultOf(service, store)
    await vault.shareContacts(SITE)
    await signIn(vault)
    expect(await vault.listContactSites()).toEqual([])
    for (const site of [SITE, SITE, OTHER_SITE]) await vault.shareContacts(site)
    expect(await (await vaultOf(service, store)).listContactSites()).toEqual([SITE, OTHER_SITE])
    await vault.unshareContacts(OTHER_SITE)
    expect(await vault.listContactSites()).toEqual([SITE])
    await vault.signOut()
    expect(await vault.listContactSites()).toEqual([])
    await signIn(vault)
    expect(await vault.listContactSites()).toEqual([])
  })
})
