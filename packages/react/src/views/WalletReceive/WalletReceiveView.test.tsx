// @vitest-environment jsdom

import { defineNetwork, type Hawser } from '@hawser/core'
import { ALICE, devnet } from '@hawser/core/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { findView, renderConnected, showView } from '../../testing/openKit.tsx'

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

it('lists the networks that the address receives on', async () => {
  const { user, ...kit } = await renderConnected()
  await showView({ user, ...kit }, 'WalletReceive')
  await user.click(screen.getByTestId('receive-compatible-networks-button'))
  await findView('WalletCompatibleNetworks')
  expect(screen.getByText('You can only receive assets on these networks')).toBeDefined()
  const rows = within(screen.getByRole('list', { name: 'Compatible networks' })).getAllByRole('listitem')
  expect(rows.map((row) => row.textContent)).toEqual(['DevnetTestnet', 'Devnet TwoTestnet'])
  expect(rows[0]?.querySelector('img')?.getAttribute('src')).toMatch(
    /\/v1\/assets\/networks\/eip155:31337\.svg$/,
  )
})

const bitcoin = defineNetwork({
  id: '000000000019d6689c085ae165831e93',
  name: 'Bitcoin',
  chainNamespace: 'bip122',
  nativeCurrency: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 },
})

/** Shows an account of Bitcoin, as a wallet that changed it does. */
function showAccount({ chain }: Hawser, address: string): void {
  act(() =>
    chain.setState(({ chains }) => {
      const record = chains.get('bip122')
      if (!record) return {}
      const caipAddress = `${bitcoin.caipNetworkId}:${address}` as const
      const accountState = { ...record.accountState, address, caipAddress, status: 'connected' as const }
      return {
        chains: new Map(chains).set('bip122', { ...record, accountState }),
        activeChain: 'bip122',
        activeCaipNetwork: bitcoin,
        activeCaipAddress: caipAddress,
      }
    }),
  )
}

it('drops a request that was written for another account', async () => {
  const { user, hawser, ...kit } = await renderConnected({ networks: [devnet, bitcoin] })
  showAccount(hawser, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
  await showView({ user, hawser, ...kit }, 'WalletReceive')
  await user.click(await screen.findByTestId('receive-request-button'))
  await user.type(screen.getByTestId('receive-request-amount'), '1')
  await screen.findByRole('img', { name: /bitcoin:bc1q/ })

  const other = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'
  showAccount(hawser, other)
  expect(screen.getByRole('img', { name: `QR code of the address ${other}` })).toBeDefined()
})
