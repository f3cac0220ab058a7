// @vitest-environment jsdom

import { ALICE, createKit, deferred, walletError } from '@hawser/core/testing'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { findView, type OpenKit, renderPage, showView } from '../../testing/openKit.tsx'

const retry = () => screen.getByTestId<HTMLButtonElement>('w3m-connecting-widget-secondary-button')

async function chooseWallet(kit: OpenKit) {
  await showView(kit, 'Connect')
  await kit.user.click(screen.getByRole('button', { name: /Example Wallet/ }))
  await findView('ConnectingExternal')
}

it('requests a connection, and closes the modal once it is connected', async () => {
  const kit = createKit()
  const accounts = deferred<string[]>()
  kit.wallet.answers.eth_requestAccounts = () => accounts.promise
  await chooseWallet(renderPage(kit))
  expect(screen.getByTestId('w3m-header-text').textContent).toBe('Example Wallet')
  expect(screen.getByText('Continue in Example Wallet')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  accounts.resolve([ALICE])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByTestId('account-button')).toBeDefined()
})

it('says that the visitor declined, and tries again', async () => {
  const kit = createKit()
  kit.wallet.answers.eth_requestAccounts = () => {
    throw walletError(4001, 'User rejected the request.')
  }
  const page = renderPage(kit)
  await chooseWallet(page)
  const label = await screen.findByText('You declined.')
  expect(label.closest('[data-state]')?.getAttribute('data-state')).toBe('idle')
  kit.wallet.answers.eth_requestAccounts = () => kit.wallet.accounts
  await page.user.click(retry())
  await screen.findByTestId('account-button')
})

it('does not call a failure of the wallet a refusal of the visitor', async () => {
  const kit = createKit()
  kit.wallet.answers.eth_requestAccounts = () => {
    throw walletError(-32603, 'The wallet is out of order.')
  }
  await chooseWallet(renderPage(kit))
  await screen.findByText('Connection failed')
  expect(screen.getByText('Your wallet reported a problem. Open it, then try again.')).toBeDefined()
  expect(screen.queryByText('The wallet is out of order.')).toBeNull()
})

it('says after five seconds where to find the request', async () => {
  const kit = createKit()
  kit.wallet.answers.eth_requestAccounts = () => deferred().promise
  const page = renderPage(kit)
  await chooseWallet(page)
  await page.advance(4_999)
  expect(screen.queryByTestId('waiting-help')).toBeNull()
  await page.advance(1)
  expect(screen.getByTestId('waiting-help').textContent).toBe(
    'Don’t see it? Open Example Wallet from your browser’s toolbar.',
  )
})

it('requests it once, however often it is rendered', async () => {
  const kit = createKit()
  kit.wallet.answers.eth_requestAccounts = () => deferred().promise
  await chooseWallet(renderPage(kit))
  expect(kit.wallet.calls.filter(({ method }) => method === 'eth_requestAccounts')).toHaveLength(1)
})
