// @vitest-environment jsdom
import { ALICE, BOB, createConnectedKit, transaction, transfer } from '@hawser/core/testing'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPage, showView } from '../../../testing/openKit.tsx'

/** Its ends are those of Bob's address. */
const LIKE_BOB = '0x7099000000000000000000000000000000dc79c8'

it('the history has the names of contacts, but in no row that claims or imitates one', async () => {
  const kit = await createConnectedKit()
  kit.storage.setItem(
    '@hawser/v1/contacts',
    JSON.stringify([{ namespace: 'eip155', address: BOB, name: 'Bob' }]),
  )
  const sent = transaction(1, { operationType: 'send', sentFrom: ALICE, sentTo: BOB }, [
    transfer({ direction: 'out', sender: ALICE, recipient: BOB }),
  ])
  const poison = transaction(2, { sentFrom: LIKE_BOB }, [transfer({ sender: LIKE_BOB })])
  const fungibleInfo = {
    name: 'Fake',
    symbol: 'FAKE',
    decimals: 18,
    address: `eip155:31337:0x${'fa'.repeat(20)}`,
  }
  const claim = transfer({ direction: 'out', sender: ALICE, recipient: BOB, fungibleInfo, spam: true })
  const spam = { ...transaction(3, { operationType: 'send', sentTo: BOB }, [claim]), spam: true }
  kit.gateway.history = () => ({ data: [spam, poison, sent] })
  const page = renderPage(kit)
  await showView(page, 'Account')
  await page.user.click(screen.getByTestId('tab-activity'))
  const row = (number: number) => screen.getByTestId(`activity-${transaction(number).metadata.hash}`)

  await waitFor(() => expect(row(1).textContent).toContain('To \u2068Bob\u2069'))
  expect(row(1).querySelector('bdi')?.title).toBe(BOB)
  expect(row(2).textContent).toContain('From a look-alike address')
  await page.user.click(screen.getByTestId('show-hidden'))
  expect(row(3).textContent).not.toContain('Bob')

  await page.user.click(row(1).querySelector('button') as HTMLElement)
  expect(row(1).textContent).toContain(`Bob${BOB}`)
  await page.user.click(row(3).querySelector('button') as HTMLElement)
  expect(row(3).textContent).not.toContain('Bob')
})
