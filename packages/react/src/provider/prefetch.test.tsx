// @vitest-environment jsdom
import '@hawser/ui/testing'
import { type HawserOptions, openModal } from '@hawser/core'
import { createConnectedKit, createKit, type Kit } from '@hawser/core/testing'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** Longer than a page waits for idle time. */
const idle = () => act(() => new Promise((resolve) => setTimeout(resolve, 300)))

/** Opens a page with modules of its own, as in a browser that has just opened it. */
async function openPage(kit: Kit) {
  const { HawserProvider } = await import('./HawserProvider.tsx')
  const { ConnectButton } = await import('../buttons/ConnectButton.tsx')
  const { loadedModal } = await import('./loadModal.ts')
  const { adoptInto } = await import('../modal/adoptStyles.ts')
  adoptInto(document)
  render(
    <HawserProvider hawser={kit.hawser}>
      <ConnectButton />
    </HawserProvider>,
  )
  return { hawser: kit.hawser, loadedModal }
}

const openDisconnectedPage = (options: Partial<HawserOptions> = {}) => openPage(createKit(options))

function setNavigator(name: 'connection' | 'onLine', value: unknown) {
  Object.defineProperty(navigator, name, { value, configurable: true })
}

beforeEach(() => {
  vi.resetModules()
  document.adoptedStyleSheets.length = 0
})
afterEach(() => {
  cleanup()
  Reflect.deleteProperty(navigator, 'connection')
  Reflect.deleteProperty(navigator, 'onLine')
})

describe('in idle time after it has loaded, a page', () => {
  it('fetches the modal and its styles', async () => {
    const { loadedModal } = await openDisconnectedPage()
    expect(loadedModal()).toBeUndefined()
    await idle()
    await vi.dynamicImportSettled()
    expect(loadedModal()).toBeDefined()
    expect(document.adoptedStyleSheets).toHaveLength(1)
  })

  it('also fetches the account for a connected visitor', async () => {
    await openPage(await createConnectedKit())
    await idle()
    await vi.dynamicImportSettled()
    expect(document.adoptedStyleSheets).toHaveLength(2)
  })

  it.each([
    ['the site says `prefetch: false`', () => {}, { prefetch: false }],
    ['the visitor saves data', () => setNavigator('connection', { saveData: true }), {}],
    ['there is no network', () => setNavigator('onLine', false), {}],
  ])('fetches nothing when %s', async (_, given, options) => {
    given()
    const { loadedModal } = await openDisconnectedPage(options)
    await idle()
    await vi.dynamicImportSettled()
    expect(loadedModal()).toBeUndefined()
  })
})

it('a modal whose code is here is shown with the click itself', async () => {
  const { hawser } = await openDisconnectedPage()
  await idle()
  await vi.dynamicImportSettled()
  act(() => openModal(hawser))
  expect(document.querySelector('dialog[open] [data-view=Connect]')).not.toBeNull()
})

it.each(['pointerEnter', 'pointerDown', 'focus'] as const)(
  'the modal is fetched at the %s of a button, whatever the site prefetches',
  async (reach) => {
    const { loadedModal } = await openDisconnectedPage({ prefetch: false })
    fireEvent[reach](screen.getByTestId('connect-button'))
    await vi.dynamicImportSettled()
    expect(loadedModal()).toBeDefined()
  },
)
