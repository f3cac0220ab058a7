// @vitest-environment jsdom
import { openSend, pushView } from '@hawser/core'
import { BOB, createConnectedKit, DOLLAR } from '@hawser/core/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { KeptOutputs } from '../../parts/namespaces/KeptOutputs.tsx'
import { findView, renderPage } from '../../testing/openKit.tsx'

it.each([
  ['9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', 'This is a Solana address'],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'This is a Bitcoin address'],
  ['15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5', 'This is a Polkadot address'],
  ['0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'Enter a valid address'],
])('says what the receiver %s is, on an EVM network', async (receiver, text) => {
  const kit = renderPage(await createConnectedKit())
  act(() => openSend(kit.hawser))
  await findView('WalletSend')
  await kit.user.click(screen.getByTestId('send-address-input'))
  await kit.user.paste(receiver)
  await waitFor(() => expect(screen.getByTestId('send-address-outcome').textContent).toBe(text))
})

it('shows what the receiver’s account takes and what the token withholds beside the network’s fee', async () => {
  const { hawser } = renderPage(await createConnectedKit())
  act(() => openSend(hawser, { token: DOLLAR }))
  await findView('WalletSend')
  act(() => {
    hawser.send.setState({ receiverAddress: BOB, receiverStatus: 'valid', sendTokenAmount: '5' })
    pushView(hawser, 'WalletSendPreview')
  })
  await findView('WalletSendPreview')
  await waitFor(() => expect(hawser.send.getState().fee).toBeDefined())
  const terms = { namespace: 'solana', computeUnitPrice: 0n, computeUnitLimit: 1 } as const
  const fee = { amount: 3_000_000_000_000_000n, rent: 2_000_000_000_000_000n, tokenFee: 50_000n, terms }
  act(() => hawser.send.setState({ fee }))
  expect(screen.getByTestId('send-preview-fee').textContent).toContain('0.001')
  expect(screen.getByTestId('send-preview-rent').textContent).toContain('0.002')
  expect(screen.getByTestId('send-preview-token-fee').textContent).toContain('0.05')
})

it('says what stays at the address of a sender whose small outputs may hold ordinals', async () => {
  const kit = await createConnectedKit()
  renderPage(kit, <KeptOutputs />)
  expect(screen.queryByTestId('send-kept-outputs')).toBeNull()
  const terms = { namespace: 'bip122', speed: 'normal', feeRate: 1, size: 100 } as const
  act(() => kit.hawser.send.setState({ fee: { amount: 100n, reserve: 546n, terms } }))
  expect(screen.getByTestId('send-kept-outputs').textContent).toContain('stay at this address')
})
