// @vitest-environment jsdom

import { createFakeSignIn, createKit, deferred, walletError } from '@hawser/core/testing'
import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { findView, renderPage } from '../../testing/openKit.tsx'

const SIGNATURE = `0x${'ab'.repeat(65)}`
const sign = () => screen.getByTestId<HTMLButtonElement>('w3m-connecting-siwe-sign')
const cancel = () => screen.getByTestId<HTMLButtonElement>('w3m-connecting-siwe-cancel')

/** Opens a page with a sign-in, and selects a wallet. */
async function openSignIn(isRequired = true) {
  const site = createFakeSignIn()
  site.isRequired = isRequired
  const kit = createKit({ siwx: site, metadata: { name: 'Harbour' } })
  kit.wallet.answers.personal_sign = () => SIGNATURE
  const page = renderPage(kit)
  await page.user.click(screen.getByTestId('connect-button'))
  await page.user.click(await screen.findByRole('button', { name: /Example Wallet/ }))
  await findView('ConnectingSiwe')
  await waitFor(() => expect(page.hawser.signIn.getState().status).toBe('needed'))
  return { ...page, site }
}

it('names the site and the account, and signs in', async () => {
  const page = await openSignIn()
  expect(screen.getByText('Sign in to Harbour')).toBeDefined()
  expect(screen.getByText(/as 0xf39F/)).toBeDefined()
  expect(screen.queryByTestId('header-back')).toBeNull()
  await page.user.click(sign())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(page.site.sessions).toHaveLength(1)
})

it('shows that the wallet is signing, once', async () => {
  const page = await openSignIn()
  const answer = deferred<string>()
  page.wallet.answers.personal_sign = () => answer.promise
  await page.user.click(sign())
  expect(sign().textContent).toBe('Signing...')
  await page.user.click(sign())
  await waitFor(() =>
    expect(page.wallet.calls.filter(({ method }) => method === 'personal_sign')).toHaveLength(1),
  )
  answer.resolve(SIGNATURE)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('says that the visitor declined, and stays', async () => {
  const page = await openSignIn()
  page.wallet.answers.personal_sign = () => {
    throw walletError(4001, 'No.')
  }
  await page.user.click(sign())
  await screen.findByText('Signature declined')
  expect(sign().textContent).toBe('Sign')
})

it('cancelled disconnects, and says so before', async () => {
  const page = await openSignIn()
  expect(screen.getByText(/Cancelling will disconnect you/)).toBeDefined()
  await page.user.click(cancel())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(page.hawser.connection.getState().status).toBe('disconnected')
})

it('that is optional keeps the wallet connected when it is cancelled', async () => {
  const page = await openSignIn(false)
  expect(screen.queryByText(/Cancelling will disconnect you/)).toBeNull()
  await page.user.click(cancel())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(page.hawser.connection.getState().status).toBe('connected')
})
