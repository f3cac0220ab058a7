import { after } from 'node:test'
import { launchChromium } from './chromium.mjs'
import { launchFirefox } from './firefox.mjs'
import { isFirefox } from './selection.mjs'

/** How long a journey waits for what must happen, in milliseconds: other tests run beside it. */
export const patience = 30_000

/** Playwright switches off the partition of third-party storage among these features; the last list of an argument counts. */
export const partitionedStorage =
  '--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider'

/**
 * Journeys are too short to benefit from optimized code, and there is no GPU for layers: this saves 15 % of
 * their CPU time.
 */
const frugal = ['--js-flags=--no-opt,--no-maglev', '--disable-gpu-compositing']

/** @type {Promise<import('playwright-core').Browser> | undefined} */
let launched
// A browser that was not launched fails its tests; failing here too would keep what comes after from being closed.
after(async () => (await launched?.catch(() => undefined))?.close())

/** Returns the browser that all tests of a file share. It is closed after them. */
export function browser() {
  launched ??= isFirefox ? launchFirefox() : launchChromium([], { args: [partitionedStorage, ...frugal] })
  return launched
}
