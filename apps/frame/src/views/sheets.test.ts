// @vitest-environment jsdom

import type { Appearance, Sheet } from '@hawser/vault'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { SheetView } from './drawSheets.ts'

const appearance: Appearance = { themeMode: 'dark', themeVariables: {}, locale: 'en', siteName: 'Shop' }

/** Observers of a layout that does not change. */
class StillObserver {
  observe() {}
  disconnect() {}
}

function sheetOf(chainId: string): Sheet {
  const content = {
    kind: 'calls',
    isAtomic: false,
    calls: [{ to: '0xab', value: 10n ** 18n, data: '0x' }],
    maxFee: 1n,
  }
  const view = { site: 'https://shop.test', chainId, address: '0xcd', content }
  return { kind: 'approval', view, approve() {}, reject() {} } as unknown as Sheet
}

let view: SheetView | undefined

/** Draws a sheet in a page whose gateway describes the network when the test says so. */
async function open(chainId: string, { hasCloseButton = false } = {}) {
  const { createSheetView } = await import('./sheets.tsx')
  let describe: (networks: readonly object[]) => void = () => undefined
  const networks = new Promise<readonly object[]>((resolve) => {
    describe = resolve
  })
  const fetch = vi.fn(async (url: unknown) =>
    String(url).includes('ListNetworks')
      ? Response.json({ networks: await networks })
      : new Response('', { status: 503 }),
  ) as unknown as typeof globalThis.fetch
  vi.stubGlobal('fetch', fetch)
  view = createSheetView({ projectId: 'p1', fetch }, { resized: () => undefined, hasCloseButton })
  view.draw(sheetOf(chainId), appearance, undefined)
  return { describe, approve: () => document.querySelector<HTMLButtonElement>('button.primary') }
}

beforeEach(() => {
  // The networks are kept for the life of the page.
  vi.resetModules()
  vi.stubGlobal('IntersectionObserver', StillObserver)
  vi.stubGlobal('ResizeObserver', StillObserver)
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  document.body.innerHTML = '<div id="root"></div>'
})

afterEach(() => {
  view?.clear()
  vi.unstubAllGlobals()
})

it('names the network of a request, and its amount, once both are known', async () => {
  const page = await open('eip155:1')
  await new Promise((resolve) => setTimeout(resolve))
  expect(document.body.textContent).not.toMatch(/eip155:1|base units/)
  expect(page.approve()?.disabled).toBe(true)
  page.describe([{ chainId: 'eip155:1', name: 'Ethereum', nativeCurrency: { symbol: 'ETH', decimals: 18 } }])
  await vi.waitFor(() => expect(document.body.textContent).toContain('Ethereum'))
  expect(document.body.textContent).toMatch(/1\sETH/)
})

it('has a close button, unless the page draws one over it', async () => {
  const closeButton = () => document.querySelector('button[aria-label="Cancel"]')
  await open('eip155:1')
  expect(closeButton()).not.toBeNull()
  view?.clear()
  await open('eip155:1', { hasCloseButton: true })
  expect(closeButton()).toBeNull()
})

it('says its place among the requests that came together, unless it is alone', async () => {
  await open('eip155:1')
  view?.draw(sheetOf('eip155:1'), appearance, undefined, { at: 1, of: 1 })
  expect(document.querySelector('header')?.textContent).not.toContain('of')
  view?.draw(sheetOf('eip155:1'), appearance, undefined, { at: 2, of: 3 })
  await vi.waitFor(() => expect(document.querySelector('header')?.textContent).toContain('2 of 3'))
})

it('shows the domain of a new email in ASCII', async () => {
  const { createSheetView } = await import('./sheets.tsx')
  view = createSheetView(
    { projectId: 'p1', fetch: vi.fn() },
    { resized: () => undefined, hasCloseButton: false },
  )
  // The second letter of the domain is Cyrillic.
  const changed = {
    site: 'https://shop.test',
    oldEmail: 'ada@example.com',
    newEmail: 'ada@e\u0445ample.com',
  }
  const sheet = { kind: 'email', view: changed, approve() {}, reject() {} } as unknown as Sheet
  view.draw(sheet, appearance, undefined)
  await vi.waitFor(() => expect(document.body.textContent).toContain('ada@xn--eample-bsf.com'))
})

it('asks for the contacts of the wallet in the name of the site', async () => {
  const { createSheetView } = await import('./sheets.tsx')
  view = createSheetView(
    { projectId: 'p1', fetch: vi.fn() },
    { resized: () => undefined, hasCloseButton: false },
  )
  const reject = vi.fn()
  const asked = { kind: 'contacts', view: { site: 'https://shop.test' }, approve() {}, reject }
  view.draw(asked as unknown as Sheet, appearance, undefined)
  await vi.waitFor(() => expect(document.body.textContent).toContain('https://shop.test'))
  expect(document.querySelector('h1')?.textContent).toBe('Share your contacts with this site?')
  document.querySelector<HTMLButtonElement>('button:not(.primary):not(.close)')?.click()
  expect(reject).toHaveBeenCalledOnce()
})
