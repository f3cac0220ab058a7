// @vitest-environment jsdom
import { openModal, pushView } from '@hawser/core'
import { createKit } from '@hawser/core/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findView, renderPage, showView } from '../testing/openKit.tsx'
import { loadedViews } from './routes.ts'

const sound = loadedViews.WhatIsAWallet
let isBroken = true

function BrokenView() {
  if (isBroken) throw new Error('not a decimal number')
  return <p>mended</p>
}

beforeEach(() => {
  isBroken = true
  loadedViews.WhatIsAWallet = BrokenView
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  if (sound) loadedViews.WhatIsAWallet = sound
  else delete loadedViews.WhatIsAWallet
  vi.restoreAllMocks()
})

async function openBroken() {
  const kit = renderPage(createKit(), <p>the page of the site</p>)
  await showView(kit, 'Connect')
  act(() => pushView(kit.hawser, 'WhatIsAWallet'))
  await screen.findByTestId('view-error')
  return kit
}

describe('a view that throws', () => {
  it('does not reach the page of the site, and says what to do', async () => {
    await openBroken()
    expect(screen.getByText('the page of the site')).toBeDefined()
    expect(screen.getByText('This could not be shown')).toBeDefined()
  })

  it('is rendered again on request', async () => {
    const { user } = await openBroken()
    isBroken = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(screen.getByText('mended')).toBeDefined()
  })

  it('can be left by the header and by its own button', async () => {
    const { user, hawser } = await openBroken()
    await user.click(screen.getByTestId('header-back'))
    await findView('Connect')
    expect(screen.queryByTestId('view-error')).toBeNull()
    act(() => pushView(hawser, 'WhatIsAWallet'))
    await screen.findByTestId('view-error')
    await user.click(screen.getByText('Close'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('is reported to the console and the log, and counted without its text', async () => {
    const { hawser, events } = await openBroken()
    expect(console.error).toHaveBeenCalledWith('[hawser] The view WhatIsAWallet failed', expect.any(Error))
    expect(hawser.log.text()).toContain('not a decimal number')
    expect(events.filter(({ event }) => event === 'INTERNAL_SDK_ERROR')).toEqual([
      { event: 'INTERNAL_SDK_ERROR', properties: { view: 'WhatIsAWallet' } },
    ])
  })
})

describe('a frame of the modal that throws', () => {
  it('closes the modal, which opens again', async () => {
    const kit = renderPage(createKit({ debug: true }), <p>the page of the site</p>)
    await showView(kit, 'Connect')
    act(() => kit.hawser.alert.setState({ open: true, variant: 'error', message: {} as never }))
    await waitFor(() => expect(kit.hawser.modal.getState().open).toBe(false))
    expect(screen.getByText('the page of the site')).toBeDefined()
    act(() => kit.hawser.alert.setState({ open: false, message: '' }))
    act(() => openModal(kit.hawser))
    await findView('Connect')
  })
})
