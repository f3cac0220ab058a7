import { after } from 'node:test'
import { launchChromium } from '../../chromium.mjs'

/** @type {Promise<import('playwright-core').Browser> | undefined} */
let launched
after(async () => (await launched)?.close())

/** Returns the browser that all tests of a file share. It is closed after them. */
export function browser() {
  launched ??= launchChromium()
  return launched
}
