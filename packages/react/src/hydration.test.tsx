// @vitest-environment jsdom
import '@hawser/ui/testing'
import { connectionCookie, readConnectionCookie } from '@hawser/core/cookie'
import { createConnectedKit, createKit } from '@hawser/core/testing'
import { act, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { AccountButton, ConnectButton, HawserProvider, NetworkButton } from './exports/index.ts'

afterEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store API
  document.cookie = 'hawser-connection=; Max-Age=0'
})

it('a page of the server is hydrated without a change, also while the wallet is reconnected', async () => {
  const { storage, wallet } = await createConnectedKit({ connectionCookie: connectionCookie(undefined) })
  const saved = readConnectionCookie(document.cookie)
  const open = () => createKit({ storage, connectionCookie: connectionCookie(saved) }, wallet).hawser
  const page = (hawser: ReturnType<typeof open>): ReactNode => (
    <HawserProvider hawser={hawser} accountButton={AccountButton}>
      <ConnectButton />
      <NetworkButton />
    </HawserProvider>
  )
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(page(open()))
  const [button] = container.getElementsByClassName('hw-account-button')
  expect(button?.textContent).toContain('0xf39F…2266')

  const hawser = open()
  const onRecoverableError = vi.fn()
  render(page(hawser), { container, hydrate: true, onRecoverableError })
  await waitFor(() => expect(hawser.sessions.size).toBe(1))
  await act(() => vi.dynamicImportSettled())
  expect(onRecoverableError).not.toHaveBeenCalled()
  expect(screen.getByTestId('account-button')).toBe(button)
})
