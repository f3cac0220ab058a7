import { after } from 'node:test'
import { launchChromium } from '../../chromium.mjs'

/** Playwright switches off the partition of third-party storage among these features; the last list of an argument counts. */
const partitionedStorage = '--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider'

/** @type {Promise<import('playwright-core').Browser> | undefined} */
let launched
after(async () => (await launched)?.close())

/** Returns the browser that all tests of a file share. It is closed after them. */
export function browser() {
  launched ??= launchChromium([], { args: [partitionedStorage] })
  return launched
}
