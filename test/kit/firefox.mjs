import dns from 'node:dns'
import { existsSync } from 'node:fs'
import { firefox } from 'playwright-core'

const firefoxPath = '/usr/bin/firefox-esr'

/** Nothing listens on the discard port. */
const closedPort = 9

/**
 * Requests to other machines go to a proxy that does not exist, so that no name is looked up and no packet
 * leaves.
 */
const isolated = {
  'network.proxy.type': 1,
  'network.proxy.socks': '127.0.0.1',
  'network.proxy.socks_port': closedPort,
  'network.proxy.socks_remote_dns': true,
  'network.proxy.socks5_remote_dns': true,
  'network.proxy.allow_bypass': false,
  'network.proxy.failover_direct': false,
  'network.trr.mode': 5,
}

/**
 * Settings of a journey's browser by default, and settings of a user's Firefox that Playwright's defaults
 * remove.
 */
const usual = {
  // Storage of frames is partitioned by site, and windows open only after a click or a key press.
  'network.cookie.cookieBehavior': 5,
  'browser.contentblocking.features.standard': '',
  'dom.disable_open_during_load': true,
  // Scroll bars that take up space, as on Windows.
  'ui.useOverlayScrollbars': 0,
  // Mouse events reach what is below the pointer, also in frames of other sites.
  'remote.events.async.mouse.enabled': true,
  // A mouse, which a machine without a screen does not have.
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
  // What WebDriver BiDi cannot set in this version: a dark system whose user wants less motion.
  'layout.css.prefers-color-scheme.content-override': 0,
  'ui.prefersReducedMotion': 1,
}

/**
 * Launches Firefox without a window, driven by WebDriver BiDi: `HAWSER_FIREFOX`, or the system's.
 *
 * @returns {Promise<import('playwright-core').Browser>}
 * @throws {Error} where there is no Firefox
 */
export async function launchFirefox() {
  const executablePath = process.env.HAWSER_FIREFOX ?? firefoxPath
  if (!existsSync(executablePath)) {
    throw new Error(
      `There is no Firefox at ${executablePath}: install Debian's package firefox-esr, or set HAWSER_FIREFOX to the path of another one`,
    )
  }
  const browser = await withLocalhost(() =>
    firefox.launch({
      channel: 'moz-firefox',
      executablePath,
      firefoxUserPrefs: { ...isolated, ...usual },
      // No page is larger than the screen.
      env: { ...process.env, MOZ_HEADLESS_WIDTH: '1600', MOZ_HEADLESS_HEIGHT: '1200' },
    }),
  )
  answerMediaFeatures(browser)
  prepareContexts(browser)
  return browser
}

/**
 * Resolves "localhost" without a lookup while `launch` runs. Playwright wants its IPv6 address too, for which
 * machines whose /etc/hosts lacks it ask a name server.
 *
 * @template T
 * @param {() => Promise<T>} launch
 * @returns {Promise<T>}
 */
async function withLocalhost(launch) {
  const { lookup } = dns.promises
  Object.assign(dns.promises, {
    lookup: (/** @type {string} */ host, /** @type {dns.LookupAllOptions} */ options) =>
      lookup(host === 'localhost' ? '127.0.0.1' : host, options),
  })
  try {
    return await launch()
  } finally {
    Object.assign(dns.promises, { lookup })
  }
}

/**
 * Answers the command that sets media features, which Playwright sends for every context and Firefox ESR does
 * not support yet.
 *
 * @param {any} browser
 */
function answerMediaFeatures(browser) {
  const connection = browser._connection.toImpl(browser)._connection
  const send = connection.rawSend.bind(connection)
  connection.rawSend = (/** @type {{ id: number, method: string }} */ message) => {
    if (message.method !== 'emulation.setMediaFeaturesOverride') return send(message)
    queueMicrotask(() => connection._dispatchMessage({ type: 'success', id: message.id, result: {} }))
  }
}

/**
 * Makes the pages of new contexts get their text and keys as if a visitor typed them.
 *
 * @param {import('playwright-core').Browser} browser
 */
function prepareContexts(browser) {
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    await context.addInitScript(insertTextAsTyped)
    context.on('page', focusBeforeKeys)
    return context
  }
}

/**
 * Focuses the window of a page before a key is pressed: another window may take the focus late, and the key
 * would be lost.
 *
 * @param {import('playwright-core').Page} page
 */
function focusBeforeKeys(page) {
  const { keyboard } = page
  const press = keyboard.press.bind(keyboard)
  keyboard.press = async (...key) => {
    if (!(await page.evaluate(() => document.hasFocus()))) {
      await page.bringToFront()
      await page.waitForFunction(() => document.hasFocus())
    }
    await press(...key)
  }
}

/**
 * Runs inside the page. Playwright's own function for BiDi sets the value of a field by the property that React watches, so that React sees
 * no change.
 */
function insertTextAsTyped() {
  /** @param {string} text */
  function insert(text) {
    if (document.activeElement instanceof HTMLIFrameElement) return document.activeElement
    document.execCommand('insertText', false, text)
  }
  Object.defineProperty(window, '__pw_bidiInsertText', { get: () => insert, set: () => {} })
}
