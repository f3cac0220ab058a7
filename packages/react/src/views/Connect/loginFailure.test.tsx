// @vitest-environment jsdom
import { openModal } from '@hawser/core'
import { createFakeEmbeddedWallet, createKit, offer } from '@hawser/core/testing'
import { act, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { findView, renderPage } from '../../testing/openKit.tsx'

const chunk = vi.hoisted(() => ({ isReachable: false }))

vi.mock('@hawser/core', async (importOriginal) => {
  const original = await importOriginal<typeof import('@hawser/core')>()
  return {
    ...original,
    importModule: (...args: Parameters<typeof original.importModule>) =>
      args[1] === 'EmailLogin' && !chunk.isReachable
        ? Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
        : original.importModule(...args),
  }
})

it('logins that could not be loaded can be loaded again', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const frame = createFakeEmbeddedWallet()
  const { hawser, user } = renderPage(createKit({ connectors: [offer(frame)], walletLinks: [] }, frame))
  act(() => openModal(hawser))
  await findView('Connect')
  const failure = await screen.findByTestId('logins-failed', {}, { timeout: 8000 })
  expect(failure.textContent).toContain('Couldn’t load email and social logins')
  expect(screen.getAllByTestId('logins-failed')).toHaveLength(1)
  chunk.isReachable = true
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByTestId('wui-email-input', {}, { timeout: 8000 })
  expect(screen.queryByTestId('logins-failed')).toBeNull()
})
