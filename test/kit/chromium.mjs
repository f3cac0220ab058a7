import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

/**
 * Hosts that Chromium contacts for its vendor. Their names are not resolved, so that they do not count as
 * traffic of the page.
 */
const makersHosts = ['*.google.com', '*.googleapis.com', '*.gstatic.com']

const chromiumPath = '/usr/bin/chromium'
/** Chromium without the code of its windows, which needs less CPU. */
const headlessShell = '/usr/bin/chromium-headless-shell'

/**
 * Launches Chromium without a window and without a GPU: `HAWSER_CHROMIUM`, or the system's.
 *
 * @param {string[]} [unresolved] more host patterns whose names are not resolved
 * @param {object} [options]
 * @param {string[]} [options.args] more arguments
 * @param {boolean} [options.whole] Chromium with the code of its windows, which has the settings of a user
 * @param {boolean} [options.keepsPages] whether it keeps pages that are left, for the way back; only the whole Chromium does
 * @returns {Promise<import('playwright-core').Browser>}
 */
export function launchChromium(unresolved = [], { args = [], whole = false, keepsPages = false } = {}) {
  const rules = [...unresolved, ...makersHosts].map((host) => `MAP ${host} ~NOTFOUND`)
  return chromium.launch({
    executablePath:
      process.env.HAWSER_CHROMIUM ?? (!whole && existsSync(headlessShell) ? headlessShell : chromiumPath),
    ...(keepsPages && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--host-resolver-rules=${rules.join(',')}`,
      ...args,
    ],
  })
}
