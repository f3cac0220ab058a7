// @vitest-environment jsdom
import { openModal } from '@hawser/core'
import { createFakeEmbeddedWallet, createKit, offer } from '@hawser/core/testing'
import { act, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { loginFeature } from '../../modal/loginFeature.ts'
import { findView, renderPage } from '../../testing/openKit.tsx'

it('logins that could not be loaded can be loaded again', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  // Test files share their modules: another one may have loaded the chunk.
  loginFeature.loaded = undefined
  const load = vi
    .spyOn(loginFeature, 'load')
    .mockRejectedValue(new TypeError('Failed to fetch dynamically imported module'))
  const frame = createFakeEmbeddedWallet()
  const { hawser, user } = renderPage(createKit({ connectors: [offer(frame)], walletLinks: [] }, frame))
  act(() => openModal(hawser))
  await findView('Connect')
  const failure = await screen.findByTestId('logins-failed', {}, { timeout: 8000 })
  expect(failure.textContent).toContain('Couldn’t load email and social logins')
  expect(screen.getAllByTestId('logins-failed')).toHaveLength(1)
  load.mockRestore()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByTestId('wui-email-input', {}, { timeout: 8000 })
  expect(screen.queryByTestId('logins-failed')).toBeNull()
})
