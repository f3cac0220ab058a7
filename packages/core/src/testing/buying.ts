import { vi } from 'vitest'
import { connect } from '../connection/connect.ts'
import { buy } from '../onramp/buy.ts'
import { setBuyAmount } from '../onramp/edit.ts'
import { watchOnramp } from '../onramp/watchOnramp.ts'
import { settle } from './fakeClock.ts'
import { createKit, type Kit } from './kit.ts'

/** A window that a page opened, as far as the page can see. */
interface FakeWindow {
  opener: unknown
  closed: boolean
  readonly location: { readonly shown: string[]; replace(url: string): void }
  readonly name: string
  readonly features: string
  /** Times it was brought to the front. */
  focused: number
  focus(): void
  close(): void
}

export interface Browser {
  /** Every window that was opened, the newest last. */
  readonly windows: FakeWindow[]
  /** Refuses to open windows from now on. */
  isBlocking: boolean
}

/** Stubs a browser whose windows a test controls. */
export function stubWindows(global: object = {}): Browser {
  const browser: Browser = { windows: [], isBlocking: false }
  const open = (url: string, name: string, features: string) => {
    if (browser.isBlocking) return null
    const shown: string[] = [url]
    const window: FakeWindow = {
      opener: 'the page',
      closed: false,
      location: {
        shown,
        // Access to the opener must be removed before another page is shown.
        replace: (next) => shown.push(window.opener === null ? next : `${next} with an opener`),
      },
      name,
      features,
      focused: 0,
      focus: () => {
        window.focused += 1
      },
      close: () => {
        window.closed = true
      },
    }
    browser.windows.push(window)
    return window
  }
  vi.stubGlobal('window', Object.assign(global, { open }))
  return browser
}

export interface Buying extends Kit {
  readonly browser: Browser
  readonly stop: () => void
}

/** Connects a visitor with quotes for 100 dollars. */
export async function buying(prepare: (kit: Kit) => void = () => undefined): Promise<Buying> {
  const browser = stubWindows()
  const kit = createKit()
  prepare(kit)
  kit.hawser.mount()
  await connect(kit.hawser, { connector: kit.wallet.connector })
  const stop = watchOnramp(kit.hawser)
  await settle()
  setBuyAmount(kit.hawser, '100')
  await kit.clock.advance(400)
  return { ...kit, browser, stop }
}

export const QUAY = { id: 'quay', title: 'Quay', isSandbox: false, method: 'card' }

/** Places an order for the visitor of `buying`, and opens its checkout. */
export async function paying(prepare?: (kit: Kit) => void): Promise<Buying> {
  const kit = await buying(prepare)
  buy(kit.hawser, QUAY)
  await settle()
  return kit
}

export const orderNow = ({ hawser }: Kit) => hawser.onramp.getState().orders[0]
export const purchaseNow = ({ hawser }: Kit) => hawser.onramp.getState().purchase
