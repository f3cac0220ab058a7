// @vitest-environment jsdom
import type { SentTransaction } from '@hawser/core'
import { ALICE, BOB, createConnectedKit, transaction, transfer } from '@hawser/core/testing'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { findView, type OpenKit, renderPage, showView } from '../../testing/openKit.tsx'

const CAROL = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

const sentTo = (number: number, recipient: string, status = 'confirmed') =>
  transaction(number, { operationType: 'send', sentFrom: ALICE, sentTo: recipient, status } as never, [
    transfer({ direction: 'out', sender: ALICE, recipient }),
  ])

/** Opens the status of a transfer to Carol; Bob is a contact. */
async function show(
  transferred = sentTo(1, CAROL),
  changes: Partial<SentTransaction> = {},
): Promise<OpenKit> {
  const connected = await createConnectedKit()
  connected.storage.setItem(
    '@hawser/v1/contacts',
    JSON.stringify([{ namespace: 'eip155', address: BOB, name: 'Bob' }]),
  )
  connected.hawser.send.setState({
    sent: { owner: `eip155:31337:${ALICE}`, transaction: transferred, ...changes },
  })
  const kit = renderPage(connected)
  await showView(kit, 'TransactionStatus')
  return kit
}

const save = () => screen.queryByTestId('transaction-save-contact')

describe('after a transfer', () => {
  it('the receiver is saved as a contact, and then has its name', async () => {
    const kit = await show(undefined, { receiverName: 'carol.eth' })
    await kit.user.click(await screen.findByTestId('transaction-save-contact'))
    await findView('Contact')
    expect(screen.getByTestId<HTMLInputElement>('contact-name').value).toBe('carol.eth')
    expect(screen.getByTestId('contact-address').textContent).toBe(CAROL)
    await kit.user.clear(screen.getByTestId('contact-name'))
    await kit.user.type(screen.getByTestId('contact-name'), 'Carol{Enter}')
    await findView('TransactionStatus')
    expect(save()).toBeNull()
    expect(screen.getByText('Carol')).toBeTruthy()
    expect(kit.hawser.contacts.getState().list.map(({ name }) => name)).toEqual(['Bob', 'Carol'])
  })

  it.each([
    ['to a contact', sentTo(1, BOB)],
    ['to oneself', sentTo(1, ALICE)],
    ['that is pending', sentTo(1, CAROL, 'pending')],
    ['that failed', sentTo(1, CAROL, 'failed')],
  ])('%s nothing is offered', async (_, transferred) => {
    // Loaded before, so that what it offers is there with the rest.
    await import('../../features/receiver.ts')
    await show(transferred)
    await waitFor(() => expect(screen.getByTestId('transaction-done-button')).toBeTruthy())
    await waitFor(() => expect(save()).toBeNull())
  })
})
