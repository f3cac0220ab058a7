import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Modal } from './modal.mjs'
import { watchNetwork } from './networkLog.mjs'
import { leaveProfile, openProfile } from './profile.mjs'
import { isFirefox, noteFile, playsMainOnly } from './selection.mjs'
import { site } from './site.mjs'
import { installWallet } from './wallet/install.mjs'
import { mannersOf } from './wallet/manners.mjs'
import { walletOf } from './wallets.mjs'

/** @typedef {import('./wallet/testWallet.mjs').TestWallet} TestWallet */

/**
 * @typedef {object} Visitor
 * @property {number} [account] index of the wallet's first account
 * @property {number[]} [knownChains] chain ids the wallet knows, the active one first
 * @property {() => TestWallet[]} [wallets] instead of the one wallet described above; none for a browser without one
 * @property {() => string} [site] URL of another site to open instead of the demo page
 * @property {string} [path] of the demo page; the lab when there is none
 * @property {string} [query] of the demo page, such as "?theme=light"
 * @property {import('playwright-core').BrowserContextOptions} [browser] viewport, colour scheme and so on, of a new profile
 * @property {RegExp} [expectedErrors] console errors that belong to the journey
 */

/**
 * @typedef {object} Scene
 * @property {import('playwright-core').Page} page the demo page, loaded
 * @property {import('playwright-core').BrowserContext} context
 * @property {TestWallet} wallet
 * @property {Modal} modal
 * @property {() => Promise<{ page: import('playwright-core').Page, modal: Modal }>} openTab another tab of the same browser
 * @property {Set<string>} hosts all that was contacted so far
 */

const screenshots = fileURLToPath(new URL('../../.hawser/e2e', import.meta.url))

/**
 * A visitor who sees transitions. Other journeys are played without, which needs a quarter less CPU.
 *
 * @type {Visitor}
 */
export const moving = { browser: { reducedMotion: 'no-preference' } }

/**
 * Defines a test in which a visitor with a wallet does something on the demo page. Each has an empty browser profile, and
 * the wallet answers as one of those that visitors have, drawn by the journey's name. Afterwards the page must have thrown nothing, and contacted only the gateway, its own origin
 * and the configured nodes.
 *
 * @param {string} name
 * @param {Visitor} visitor
 * @param {(scene: Scene) => Promise<void>} body
 */
export function journey(name, visitor, body) {
  if (!playsMainOnly()) mainJourney(name, visitor, body)
}

/**
 * Defines a journey that `make test` plays, and firefox.e2e.mjs in Firefox. All visitors have a dark system and want less
 * motion there.
 *
 * @param {string} name
 * @param {Visitor} visitor
 * @param {(scene: Scene) => Promise<void>} body
 */
export function mainJourney(name, visitor, body) {
  noteFile(name)
  test(name, { timeout: 120_000 }, async () => {
    const profile = await openProfile(visitor.browser)
    try {
      await play(profile, visitor, body, mannersOf(name))
    } catch (error) {
      profile.reusable = false
      await photograph(profile.context, name)
      throw error
    } finally {
      await leaveProfile(profile)
    }
  })
}

/**
 * @param {import('./profile.mjs').Profile} profile
 * @param {Visitor} visitor
 * @param {(scene: Scene) => Promise<void>} body
 * @param {import('./wallet/manners.mjs').Manners} manners of the visitor's wallets
 */
async function play(profile, visitor, body, manners) {
  const { context } = profile
  const start = visitor.site?.() ?? new URL(visitor.path ?? '/lab', site.url).href
  const network = watchNetwork(context, start)
  const errors = watchErrors(context, visitor.expectedErrors)
  const wallets = visitor.wallets?.() ?? [
    walletOf({ account: visitor.account ?? 0, knownChains: visitor.knownChains ?? [31337, 31338] }),
  ]
  for (const wallet of wallets) wallet.manners = manners
  for (const wallet of wallets) profile.removals.push(await installWallet(context, wallet))
  const [wallet = walletOf()] = wallets
  profile.hosts = network.hosts
  profile.reusable = !visitor.browser

  /** @param {import('playwright-core').Page} page */
  const visit = async (page) => {
    await page.goto(`${start}${visitor.query ?? ''}`)
    // Firefox shows a page before its window has the focus, and a key that is pressed meanwhile is lost.
    if (isFirefox) await page.waitForFunction(() => document.hasFocus())
    return { page, modal: new Modal(page) }
  }
  const openTab = async () => visit(await context.newPage())
  try {
    await body({ ...(await visit(profile.page)), context, wallet, openTab, hosts: network.hosts })
  } catch (error) {
    if (error instanceof Error && errors.length > 0)
      error.message += `\nThe page reported:\n${errors.join('\n')}`
    throw error
  }
  assert.deepEqual(errors, [], 'the page reported errors')
  assert.deepEqual(network.foreign(), [], 'the page contacted hosts that nobody configured')
}

/**
 * @param {import('playwright-core').BrowserContext} context
 * @param {RegExp} [expected]
 */
function watchErrors(context, expected) {
  /** @type {string[]} */
  const errors = []
  /** @param {string} text */
  const note = (text) => {
    if (!expected?.test(text)) errors.push(text)
  }
  context.on('weberror', (error) => note(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error') note(message.text())
  })
  return errors
}

/**
 * Takes a picture of every tab of a journey that failed.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} name
 */
export async function photograph(context, name) {
  mkdirSync(screenshots, { recursive: true })
  const title = name.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()
  for (const [index, page] of context.pages().entries()) {
    const path = join(screenshots, `${title}${index === 0 ? '' : `-tab-${index + 1}`}.png`)
    await page.screenshot({ path, timeout: 5_000 }).catch(() => {}) // the failure itself matters more
  }
}
