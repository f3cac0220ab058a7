// @vitest-environment jsdom
import { editTransfer } from '@hawser/core'
import { BOB, owning } from '@hawser/core/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { findView, type OpenKit, renderPage } from '../../testing/openKit.tsx'

/** Its ends are those of Bob's address. */
const LIKE_BOB = '0x7099000000000000000000000000000000dc79c8'

let kit: OpenKit

const field = () => screen.getByTestId<HTMLTextAreaElement>('name-target-input')
const button = () => screen.getByTestId<HTMLButtonElement>('name-change-button')

beforeEach(async () => {
  const connected = await owning()
  connected.storage.setItem(
    '@hawser/v1/contacts',
    JSON.stringify([{ namespace: 'eip155', address: BOB, name: 'Bob' }]),
  )
  kit = renderPage(connected)
  act(() => editTransfer(kit.hawser))
  await findView('NameTransfer')
  await kit.user.click(field())
  await kit.user.paste(LIKE_BOB)
  await screen.findByTestId('send-doubt')
})

it('a name is not transferred to an address that looks like a contact', async () => {
  expect(button().disabled).toBe(true)
  await kit.user.click(screen.getByTestId('send-use-known'))
  await waitFor(() => expect(button().disabled).toBe(false))
  expect(field().value).toBe(BOB)
  expect(screen.getByTestId('name-target-outcome').textContent).toBe('Contact: \u2068Bob\u2069')
})

it('it is once the visitor chose the address', async () => {
  await kit.user.click(screen.getByTestId('send-use-new'))
  expect(screen.queryByTestId('send-doubt')).toBeNull()
  expect(document.activeElement?.className).toBe('hw-receiver')
  await waitFor(() => expect(button().disabled).toBe(false))
  expect(field().value).toBe(LIKE_BOB)
})
