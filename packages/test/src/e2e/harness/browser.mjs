import { after } from 'node:test'
import { chromium } from 'playwright-core'

/** @type {Promise<import('playwright-core').Browser> | undefined} */
let launched
after(async () => (await launched)?.close())

/** Chromium without a window, one for all tests of a file; it ends with them. */
export function browser() {
  launched ??= chromium.launch({
    executablePath: process.env.HAWSER_CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // What Chromium asks of its maker by itself is not the page's doing, and must not be counted as such.
      '--host-resolver-rules=MAP *.google.com ~NOTFOUND,MAP *.googleapis.com ~NOTFOUND,MAP *.gstatic.com ~NOTFOUND',
    ],
  })
  return launched
}
