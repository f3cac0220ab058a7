// @vitest-environment jsdom
import { type Locale, openModal } from '@hawser/core'
import { createKit } from '@hawser/core/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { ConnectButton } from '../buttons/ConnectButton.tsx'
import { ar } from '../locales/ar.ts'
import { de } from '../locales/de.ts'
import { HawserProvider } from '../provider/HawserProvider.tsx'
import { findView, renderPage } from '../testing/openKit.tsx'
import { setLocale } from './setLocale.ts'

it('a server renders the button in the language whose module the site gives', () => {
  const { hawser } = createKit({ locale: ar })
  const html = renderToString(
    <HawserProvider hawser={hawser}>
      <ConnectButton />
    </HawserProvider>,
  )
  expect(html).toContain('ربط المحفظة')
  expect(html).toContain('lang="ar" dir="rtl"')
})

it('the modal is shown in the language that the site names', async () => {
  const { hawser } = renderPage(createKit({ locale: 'de' }))
  act(() => openModal(hawser))
  await findView('Connect')
  expect(screen.getByRole('dialog', { name: 'Wallet verbinden' })).toBeDefined()
  expect(screen.getByTestId('connect-button').textContent).toBe('Wallet verbinden')
})

it('the language changes while the modal is open, and back to English', async () => {
  const { hawser } = renderPage()
  act(() => openModal(hawser))
  await findView('Connect')
  await act(() => setLocale(hawser, de))
  expect(screen.getByRole('dialog', { name: 'Wallet verbinden' })).toBeDefined()
  await act(() => setLocale(hawser, 'en'))
  expect(screen.getByRole('dialog', { name: 'Connect wallet' })).toBeDefined()
})

it('of two changes the later one counts, whichever is loaded first', async () => {
  const { hawser } = createKit()
  let finish = () => {}
  const slow: Locale = { ...de, texts: {}, load: () => new Promise((resolve) => (finish = resolve)) }
  const first = setLocale(hawser, slow)
  await setLocale(hawser, ar)
  finish()
  await first
  expect(hawser.options.getState().locale).toBe(ar)
})

it('the modal is in English when its language cannot be loaded', async () => {
  const report = vi.spyOn(console, 'error').mockReturnValue()
  const load = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
  const { hawser } = renderPage(createKit({ locale: { ...de, texts: undefined, load } }))
  act(() => openModal(hawser))
  await findView('Connect')
  expect(screen.getByRole('dialog', { name: 'Connect wallet' })).toBeDefined()
  await waitFor(() => expect(report).toHaveBeenCalled())
})
