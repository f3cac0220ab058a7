// @vitest-environment jsdom
import { openSend } from '@hawser/core'
import { ALICE, BOB, createConnectedKit, transaction, transfer } from '@hawser/core/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { findView, type OpenKit, renderPage } from '../../testing/openKit.tsx'

const CAROL = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const bob = { namespace: 'eip155', address: BOB, name: 'Bob' }

let kit: OpenKit

const field = () => screen.getByTestId<HTMLTextAreaElement>('send-address-input')
const options = () => screen.queryAllByRole('option')
const active = () => document.getElementById(field().getAttribute('aria-activedescendant') ?? '')
const list = () => screen.queryByRole('listbox')

beforeEach(async () => {
  const connected = await createConnectedKit()
  connected.storage.setItem('@hawser/v1/contacts', JSON.stringify([bob]))
  const sent = transaction(1, { operationType: 'send', sentFrom: ALICE, sentTo: CAROL }, [
    transfer({ direction: 'out', sender: ALICE, recipient: CAROL }),
  ])
  connected.gateway.history = () => ({ data: [sent] })
  kit = renderPage(connected)
  act(() => openSend(kit.hawser))
  await findView('WalletSend')
  await waitFor(() => expect(kit.hawser.activity.getState().isLoaded).toBe(true))
})

describe('the suggestions of the receiver', () => {
  it('are shown with the focus: contacts, and addresses that were sent to', async () => {
    expect(list()).toBeNull()
    await kit.user.click(field())
    expect(list()?.getAttribute('aria-label')).toBe('Suggested receivers')
    expect(field().getAttribute('aria-controls')).toBe(list()?.id)
    expect(options().map((option) => option.textContent)).toEqual([
      'Bob0x709979…dc79C8',
      '0x3C44Cd…4293BCYou sent to this address before',
    ])
    expect(screen.getByText('2 suggestions').getAttribute('role')).toBe('status')
    await kit.user.tab()
    expect(list()).toBeNull()
  })

  it('are those of the typed text', async () => {
    await kit.user.type(field(), 'bo')
    expect(options()).toHaveLength(1)
    await kit.user.type(field(), 'x')
    expect(list()).toBeNull()
  })

  it('are chosen by the keyboard, which keeps the focus in the field', async () => {
    await kit.user.click(field())
    expect(active()).toBeNull()
    await kit.user.keyboard('{ArrowDown}')
    expect(active()).toBe(options()[0])
    expect(options()[0]?.getAttribute('aria-selected')).toBe('true')
    await kit.user.keyboard('{ArrowDown}{ArrowDown}')
    expect(active()).toBeNull()
    await kit.user.keyboard('{ArrowUp}{ArrowUp}{Enter}')
    await waitFor(() => expect(field().value).toBe(BOB))
    expect(document.activeElement).toBe(field())
    expect(list()).toBeNull()
    await waitFor(() => expect(kit.hawser.send.getState().receiverStatus).toBe('valid'))
    expect(screen.getByText('Contact: \u2068Bob\u2069')).toBeTruthy()
  })

  it('follow keys that come at once', async () => {
    await kit.user.click(field())
    act(() => {
      for (const key of ['Escape', 'ArrowDown', 'ArrowDown', 'Enter'])
        field().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    })
    await waitFor(() => expect(field().value).toBe(BOB))
    expect(kit.hawser.modal.getState().open).toBe(true)
  })

  it('are chosen by a press', async () => {
    await kit.user.click(field())
    await kit.user.click(options()[1] as HTMLElement)
    await waitFor(() => expect(field().value).toBe(CAROL))
    expect(document.activeElement).toBe(field())
  })

  it('are closed by Escape, which leaves the modal open, and opened again', async () => {
    await kit.user.click(field())
    await kit.user.keyboard('{Escape}')
    expect(list()).toBeNull()
    expect(kit.hawser.modal.getState().open).toBe(true)
    await kit.user.keyboard('{ArrowDown}')
    expect(options()).toHaveLength(2)
  })
})
