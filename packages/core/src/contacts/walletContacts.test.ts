import { beforeEach, describe, expect, it, vi } from 'vitest'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { settle } from '../testing/fakeClock.ts'
import {
  createFakeEmbeddedWallet,
  type FakeEmbeddedWallet,
  whenUserIsRead,
} from '../testing/fakeEmbeddedWallet.ts'
import { ALICE, BOB } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit, type Kit } from '../testing/kit.ts'
import type { Contact } from '../types/contacts.ts'
import type { EmbeddedContact, EmbeddedContactChange } from '../types/embeddedWallet.ts'
import { importContacts, writeContactsFile } from './contactsFile.ts'
import { addContact, removeContact, renameContact } from './editContacts.ts'
import { copyContacts, readContacts } from './storedContacts.ts'
import { contactsToCopy, shareWalletContacts } from './walletContacts.ts'

const KEY = '@hawser/v1/contacts'
const CAROL = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const alice: Contact = { namespace: 'eip155', address: ALICE, name: 'Alice' }
const bob: Contact = { namespace: 'eip155', address: BOB, name: 'Bob' }
const carol: Contact = { namespace: 'eip155', address: CAROL, name: 'Carol' }

interface Scene extends Kit {
  readonly frame: FakeEmbeddedWallet
  /** What the wallet has; a test may change it as another device would. */
  inWallet: readonly EmbeddedContact[]
  isShared: boolean
  /** Returns how often the frame was called by a name. */
  calls(name: string): number
}

/** Connects an embedded wallet with a contact, on a page with another one. */
async function openScene({ isShared = true } = {}): Promise<Scene> {
  const frame = createFakeEmbeddedWallet()
  frame.emailAction = 'CONNECT'
  const kit = createKit({}, frame)
  kit.storage.setItem(KEY, JSON.stringify([bob]))
  kit.hawser.mount()
  await (await frame.connector.getEmbeddedWallet?.())?.connectEmail('ada@example.com')
  await connect(kit.hawser, { connector: frame.connector })
  await whenUserIsRead(kit.hawser)
  const scene: Scene = Object.assign(kit, {
    frame,
    inWallet: [alice] as readonly EmbeddedContact[],
    isShared,
    calls: (name: string) => frame.namesOfCalls().filter((each) => each === name).length,
  })
  frame.frameAnswers.getContacts = (options) => {
    scene.isShared ||= (options as { ask: boolean }).ask
    return scene.isShared ? scene.inWallet : undefined
  }
  frame.frameAnswers.changeContacts = (changes) => {
    for (const { namespace, address, name } of changes as readonly EmbeddedContactChange[]) {
      const others = scene.inWallet.filter((each) => each.address !== address)
      scene.inWallet = name === undefined ? others : [...others, { namespace, address, name }]
    }
    return scene.inWallet
  }
  return scene
}

const list = ({ hawser }: Kit) => hawser.contacts.getState().list
const state = ({ hawser }: Kit) => hawser.contacts.getState()
const stored = ({ storage }: Kit) => JSON.parse(storage.getItem(KEY) ?? '[]')

/** Reads the contacts, and waits until the wallet has answered. */
async function read(scene: Scene) {
  readContacts(scene.hawser)
  await vi.waitFor(() => expect(state(scene).wallet).toBeDefined())
}

describe('the contacts of a page with an embedded wallet', () => {
  let scene: Scene
  beforeEach(async () => {
    scene = await openScene()
  })

  it('are those of the wallet that the visitor shares with the site', async () => {
    expect(readContacts(scene.hawser)).toEqual([bob])
    await vi.waitFor(() => expect(list(scene)).toEqual([alice]))
    expect(state(scene).wallet).toBe('shared')
    expect(readContacts(scene.hawser)).toEqual([alice])
    expect(stored(scene)).toEqual([bob])
  })

  it('are changed in the wallet, and not in the page', async () => {
    await read(scene)
    expect(await addContact(scene.hawser, carol)).toBeUndefined()
    expect(scene.inWallet).toEqual([alice, carol])
    renameContact(scene.hawser, carol, 'Caroline')
    expect(list(scene)).toEqual([alice, { ...carol, name: 'Caroline' }])
    removeContact(scene.hawser, alice)
    expect(list(scene)).toEqual([{ ...carol, name: 'Caroline' }])
    await vi.waitFor(() => expect(scene.inWallet).toEqual([{ ...carol, name: 'Caroline' }]))
    expect(stored(scene)).toEqual([bob])
  })

  it('have what another device added after half a minute', async () => {
    await read(scene)
    scene.inWallet = [alice, carol]
    readContacts(scene.hawser)
    await settle()
    expect(list(scene)).toEqual([alice])
    await scene.clock.advance(30_000)
    readContacts(scene.hawser)
    await vi.waitFor(() => expect(list(scene)).toEqual([alice, carol]))
  })

  it('have what another device added once they are changed', async () => {
    await read(scene)
    scene.inWallet = [alice, bob]
    await addContact(scene.hawser, carol)
    expect(list(scene)).toEqual([alice, bob, carol])
  })

  it('are not undone by what was being read before they were changed', async () => {
    await read(scene)
    let answer: (contacts: readonly EmbeddedContact[]) => void = () => undefined
    scene.frame.frameAnswers.getContacts = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    await scene.clock.advance(30_000)
    readContacts(scene.hawser)
    await vi.waitFor(() => expect(scene.calls('getContacts')).toBe(2))
    await addContact(scene.hawser, carol)
    answer([alice])
    await settle()
    expect(list(scene)).toEqual([alice, carol])
  })

  it('take a file into the wallet', async () => {
    await read(scene)
    const outcome = await importContacts(scene.hawser, writeContactsFile([carol, alice]))
    expect(outcome).toMatchObject({ added: 1, known: 1 })
    expect(scene.inWallet).toEqual([alice, carol])
  })

  it('leave out what is no contact for this page', async () => {
    scene.inWallet = [alice, { namespace: 'cosmos', address: 'cosmos1', name: 'C' }, { ...bob, name: '' }]
    await read(scene)
    expect(list(scene)).toEqual([alice])
    await addContact(scene.hawser, carol)
    expect(scene.inWallet).toHaveLength(4)
  })

  it('can be copied to the wallet, which keeps its names', async () => {
    scene.storage.setItem(KEY, JSON.stringify([bob, { ...alice, name: 'A' }]))
    expect(contactsToCopy(scene.hawser)).toEqual([])
    await read(scene)
    expect(contactsToCopy(scene.hawser)).toEqual([bob])
    await copyContacts(scene.hawser)
    expect(scene.inWallet).toEqual([alice, bob])
    expect(contactsToCopy(scene.hawser)).toEqual([])
  })

  it('are those of the page again once the wallet is left', async () => {
    await read(scene)
    await disconnect(scene.hawser)
    expect(state(scene)).toMatchObject({ list: [bob], wallet: undefined })
    await addContact(scene.hawser, carol)
    expect(stored(scene)).toEqual([bob, carol])
    expect(scene.calls('changeContacts')).toBe(0)
  })

  it('are not those of a wallet that answers after it was left', async () => {
    let answer: (contacts: readonly EmbeddedContact[]) => void = () => undefined
    scene.frame.frameAnswers.getContacts = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    readContacts(scene.hawser)
    await vi.waitFor(() => expect(scene.calls('getContacts')).toBe(1))
    await disconnect(scene.hawser)
    answer([alice])
    await settle()
    expect(state(scene)).toMatchObject({ list: [bob], wallet: undefined })
  })
})

it('a page that left the wallet while the code was loaded does not ask it', async () => {
  const scene = await openScene()
  readContacts(scene.hawser)
  await disconnect(scene.hawser)
  await settle()
  await vi.dynamicImportSettled()
  expect(scene.calls('getContacts')).toBe(0)
  expect(state(scene).wallet).toBeUndefined()
})

describe('a change that the wallet refuses', () => {
  it.each([
    ['full', 'contactsFull'],
    ['damaged', 'contactsDamaged'],
    ['failed', 'SERVICE_UNAVAILABLE'],
  ])('is undone, and its problem is %s', async (problem, reason) => {
    const scene = await openScene()
    await read(scene)
    scene.frame.frameAnswers.changeContacts = () => {
      throw Object.assign(new Error('refused'), { reason })
    }
    await addContact(scene.hawser, carol)
    expect(state(scene)).toMatchObject({ list: [alice], wallet: 'shared', problem })
    expect(stored(scene)).toEqual([bob])
  })
})

describe('contacts that are not shared with the site', () => {
  let scene: Scene
  beforeEach(async () => {
    scene = await openScene({ isShared: false })
    await read(scene)
  })

  it('leave those of the page in use', async () => {
    expect(state(scene)).toMatchObject({ list: [bob], wallet: 'apart' })
    await addContact(scene.hawser, carol)
    expect(stored(scene)).toEqual([bob, carol])
    expect(scene.calls('changeContacts')).toBe(0)
  })

  it('are used once the visitor shares them', async () => {
    await shareWalletContacts(scene.hawser)
    expect(state(scene)).toMatchObject({ list: [alice], wallet: 'shared', problem: undefined })
  })

  it('stay apart when the visitor declines, without a problem', async () => {
    scene.frame.frameAnswers.getContacts = () => {
      throw Object.assign(new Error('User rejected the request'), { code: 4001, reason: 'declined' })
    }
    await shareWalletContacts(scene.hawser)
    expect(state(scene)).toMatchObject({ list: [bob], wallet: 'apart', problem: undefined })
  })

  it('stay apart when they cannot be read, with the problem', async () => {
    scene.frame.frameAnswers.getContacts = () => {
      throw Object.assign(new Error('cannot be read'), { reason: 'contactsDamaged' })
    }
    await shareWalletContacts(scene.hawser)
    expect(state(scene)).toMatchObject({ list: [bob], wallet: 'apart', problem: 'damaged' })
  })
})

it('another wallet is not asked for contacts', async () => {
  const { hawser } = await createConnectedKit()
  await addContact(hawser, bob)
  readContacts(hawser)
  await settle()
  expect(hawser.contacts.getState()).toEqual({ list: [bob] })
})
