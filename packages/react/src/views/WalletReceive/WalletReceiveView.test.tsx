// @vitest-environment jsdom

import { ALICE, devnet } from '@hawser/core/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderConnected, showView } from '../../testing/openKit.tsx'

it('shows the whole address as text and as a code', async () => {
  await showView(await renderConnected(), 'WalletReceive')
  expect(screen.getByTestId('receive-address-copy-button').textContent).toContain(ALICE)
  expect(screen.getByRole('img', { name: `QR code of the address ${ALICE}` })).toBeDefined()
})

it('copies the address and says so', async () => {
  const { user, hawser, ...kit } = await renderConnected()
  await showView({ user, hawser, ...kit }, 'WalletReceive')
  await user.click(screen.getByTestId('receive-address-copy-button'))
  expect(await navigator.clipboard.readText()).toBe(ALICE)
  await waitFor(() => expect(screen.getByTestId('wui-snackbar-message').textContent).toBe('Address copied'))
})

it.each([
  [undefined, 'Only receive assets on these networks'],
  [[devnet] as const, 'Only receive assets on this network'],
])('says on which networks to receive', async (networks, text) => {
  await showView(await renderConnected(networks ? { networks } : {}), 'WalletReceive')
  expect(screen.getByText(text)).toBeDefined()
})

it('names every network, with its mark', async () => {
  await showView(await renderConnected(), 'WalletReceive')
  const list = screen.getByRole('list', { name: 'Only receive assets on these networks' })
  const rows = within(list).getAllByRole('listitem')
  expect(rows.map((row) => row.textContent)).toEqual(['Devnet', 'Devnet Two'])
  expect(rows[0]?.querySelector('img')?.getAttribute('src')).toMatch(
    /\/v1\/assets\/networks\/eip155:31337\.svg$/,
  )
})
