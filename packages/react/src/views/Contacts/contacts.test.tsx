// @vitest-environment jsdom
import { type OwnedNft, openSend, readContacts, writeContactsFile } from '@hawser/core'
import { ALICE, ANCHORS, BOB, createConnectedKit } from '@hawser/core/testing'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { findView, type OpenKit, renderPage, showView } from '../../testing/openKit.tsx'

const CAROL = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
/** Its ends are those of Bob's address. */
const LIKE_BOB = '0x7099000000000000000000000000000000dc79c8'
const bob = { namespace: 'eip155', address: BOB, name: 'Bob' } as const
const alice = { namespace: 'eip155', address: ALICE, name: 'Alice' } as const
const onSolana = {
  namespace: 'solana',
  address: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  name: 'Sol',
} as const

let kit: OpenKit

const find = (testId: string) => screen.getByTestId(testId)
const field = (testId: string) => screen.getByTestId<HTMLInputElement>(testId)
const rows = () => screen.queryAllByTestId(/^contact-0x|^contact-9W/).map((row) => row.textContent)
const stored = () => readContacts(kit.hawser)

async function openContacts(...contacts: readonly (typeof bob | typeof alice | typeof onSolana)[]) {
  const connected = await createConnectedKit()
  connected.storage.setItem('@hawser/v1/contacts', JSON.stringify(contacts))
  kit = renderPage(connected)
  await showView(kit, 'Profile')
  await kit.user.click(find('account-contacts-button'))
  await findView('Contacts')
}

describe('the contacts', () => {
  it('are empty at first, and one is added', async () => {
    await openContacts()
    expect(find('contacts-empty').textContent).toContain('No contacts yet')
    expect(find('contacts-export').hasAttribute('disabled')).toBe(true)
    await kit.user.click(find('contacts-add'))
    await findView('Contact')
    await kit.user.type(field('contact-name'), 'Carol')
    await kit.user.click(field('contact-address'))
    await kit.user.paste(` ${CAROL} `)
    await kit.user.keyboard('{Enter}')
    await findView('Contacts')
    expect(rows()).toEqual(['Carol0x3C44Cd…4293BC'])
    expect(stored()).toEqual([{ namespace: 'eip155', address: CAROL, name: 'Carol' }])
  })

  it('are listed by name, and searched', async () => {
    await openContacts(bob, alice, onSolana)
    expect(rows()).toEqual(['Alice0xf39Fd6…b92266', 'Bob0x709979…dc79C8', 'Sol9WzDXwBb…YtAWWM'])
    await kit.user.type(field('contacts-search'), 'bo')
    expect(rows()).toEqual(['Bob0x709979…dc79C8'])
    await kit.user.type(field('contacts-search'), 'x')
    expect(rows()).toEqual([])
    expect(screen.getByText('No contact found')).toBeTruthy()
  })

  it('are renamed; the address stays', async () => {
    await openContacts(bob)
    await kit.user.click(find(`contact-${BOB}`))
    await findView('Contact')
    expect(find('contact-address').textContent).toBe(BOB)
    await kit.user.clear(field('contact-name'))
    await kit.user.click(find('contact-save'))
    expect(screen.getByText('Enter a name of at most 64 characters')).toBeTruthy()
    await kit.user.type(field('contact-name'), 'Robert{Enter}')
    await findView('Contacts')
    expect(rows()).toEqual(['Robert0x709979…dc79C8'])
  })

  it('are deleted once that is confirmed', async () => {
    await openContacts(bob)
    await kit.user.click(find(`contact-${BOB}`))
    await findView('Contact')
    await kit.user.click(find('contact-remove'))
    expect(document.activeElement).toBe(find('contact-keep'))
    await kit.user.keyboard('{Enter}')
    expect(document.activeElement).toBe(find('contact-remove'))
    await kit.user.keyboard('{Enter}')
    await kit.user.click(find('contact-remove-confirm'))
    await findView('Contacts')
    expect(stored()).toEqual([])
  })

  it.each([
    ['bob', 'Enter a valid address'],
    [BOB.replace('C5', 'c5'), 'Enter a valid address'],
    [ALICE.toLowerCase(), 'This address is already a contact'],
  ])('are not added for %s', async (address, text) => {
    await openContacts(alice)
    await kit.user.click(find('contacts-add'))
    await findView('Contact')
    await kit.user.type(field('contact-name'), 'B')
    await kit.user.type(field('contact-address'), `${address}{Enter}`)
    await waitFor(() => expect(field('contact-address').getAttribute('aria-invalid')).toBe('true'))
    expect(screen.getByText(text)).toBeTruthy()
    expect(stored()).toEqual([alice])
  })

  it('that look like another one are chosen first', async () => {
    await openContacts(bob)
    await kit.user.click(find('contacts-add'))
    await findView('Contact')
    await kit.user.type(field('contact-name'), 'Also Bob')
    await kit.user.click(field('contact-address'))
    await kit.user.paste(LIKE_BOB)
    expect(find('send-doubt').textContent).toContain('Your contact \u2068Bob\u2069')
    expect(find('contact-save').hasAttribute('disabled')).toBe(true)
    await kit.user.click(find('send-use-new'))
    expect(document.activeElement).toBe(field('contact-address'))
    await kit.user.click(find('contact-save'))
    await findView('Contacts')
    expect(stored()).toHaveLength(2)
  })
})

describe('a file of contacts', () => {
  const importText = async (text: string) => {
    const file = new File([text], 'contacts.json', { type: 'application/json' })
    // jsdom has no Blob.text.
    Object.assign(file, { text: async () => text })
    fireEvent.change(find('contacts-file'), { target: { files: [file] } })
    await waitFor(() => expect(find('contacts-imported').textContent).not.toBe(''))
    return find('contacts-imported').textContent
  }

  it('is taken, and what is refused is named', async () => {
    await openContacts(bob)
    const text = writeContactsFile([alice, bob, { ...bob, address: LIKE_BOB }, { ...alice, name: '' }])
    expect(await importText(text)).toBe(
      '1 contact added. 1 was here already.Not added:Bob: looks like another contactEntry 4: no name of at most 64 characters',
    )
    expect(rows()).toEqual(['Alice0xf39Fd6…b92266', 'Bob0x709979…dc79C8'])
  })

  it.each([
    ['{}', 'This is not a file of contacts.'],
    ['{"format":"hawser-contacts","version":2,"contacts":[]}', 'A newer version wrote this file.'],
  ])('%s is not read', async (text, outcome) => {
    await openContacts(bob)
    expect(await importText(text)).toBe(outcome)
  })

  it('is saved', async () => {
    await openContacts(bob)
    const create = vi.fn((_: Blob) => 'blob:contacts')
    const revoke = vi.fn()
    Object.assign(URL, { createObjectURL: create, revokeObjectURL: revoke })
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    await kit.user.click(find('contacts-export'))
    expect(click).toHaveBeenCalledOnce()
    expect(create.mock.calls[0]?.[0].type).toBe('application/json')
    await kit.advance(10_000)
    expect(revoke).toHaveBeenCalledExactlyOnceWith('blob:contacts')
    click.mockRestore()
  })
})

it('the contacts lead back to the NFT that is sent', async () => {
  await openContacts(bob)
  const [item] = ANCHORS.nfts
  await showView(kit, 'NftDetail', { nft: { ...item, collection: ANCHORS } as OwnedNft })
  await kit.user.click(find('nft-send-button'))
  await findView('WalletSendNft')
  await kit.user.click(await screen.findByTestId('send-contacts'))
  await findView('Contacts')
  await kit.user.click(find('contacts-add'))
  await findView('Contact')
  for (const view of ['Contacts', 'WalletSendNft', 'NftDetail'] as const) {
    await kit.user.click(find('header-back'))
    await findView(view)
  }
})

describe('the contacts of a form that sends', () => {
  beforeEach(async () => {
    await openContacts(bob, alice, onSolana)
    act(() => openSend(kit.hawser))
    await findView('WalletSend')
    await kit.user.click(await screen.findByTestId('send-contacts'))
    await findView('Contacts')
  })

  it('are those of its namespace, without files, and one is chosen', async () => {
    expect(rows()).toHaveLength(2)
    expect(screen.queryByTestId('contacts-export')).toBeNull()
    await kit.user.click(find(`contact-${BOB}`))
    await findView('WalletSend')
    await waitFor(() => expect(field('send-address-input').value).toBe(BOB))
    const outcome = within(find('send-address-outcome'))
    await waitFor(() => expect(outcome.getByText('Contact: \u2068Bob\u2069')).toBeTruthy())
    expect(screen.queryByTestId('send-doubt')).toBeNull()
  })
})
