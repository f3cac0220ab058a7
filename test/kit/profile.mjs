import { browser, patience } from './browser.mjs'
import { isFirefox } from './selection.mjs'

/**
 * A browser profile with one empty tab.
 *
 * @typedef {object} Profile
 * @property {import('playwright-core').BrowserContext} context
 * @property {import('playwright-core').Page} page
 * @property {Set<string>} hosts that its pages contacted
 * @property {(() => Promise<void>)[]} removals each removes a wallet
 * @property {boolean} reusable whether emptying it undoes all that was changed
 */

/** Methods of a context and a tab whose effect outlasts the emptying of a profile. */
const lastingMethods = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'newCDPSession',
  'on',
  'route',
  'setOffline',
  'setViewportSize',
]

/** Firefox has no such permissions: it lets a page read what the page wrote itself. */
const permissions = isFirefox ? [] : ['clipboard-read', 'clipboard-write']

/** What the last journey of this test file left. @type {Profile | undefined} */
let left

/**
 * Opens an empty profile for a visitor with a dark system who wants less motion. Without options it may be one that an
 * earlier journey left: a page costs half the CPU time in a renderer that has shown it before.
 *
 * @param {import('playwright-core').BrowserContextOptions} [options]
 * @returns {Promise<Profile>}
 */
export async function openProfile(options) {
  if (left && !options) {
    const profile = left
    left = undefined
    await profile.page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    return profile
  }
  const context = await (await browser()).newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: 'dark',
    reducedMotion: 'reduce',
    permissions,
    ...options,
  })
  context.setDefaultTimeout(patience)
  /** @type {Profile} */
  const profile = { context, page: await context.newPage(), hosts: new Set(), removals: [], reusable: false }
  watchChanges(profile)
  return profile
}

/**
 * Makes a profile not reusable when one of the lasting methods is called.
 *
 * @param {Profile} profile
 */
function watchChanges(profile) {
  for (const target of /** @type {Record<string, any>[]} */ ([profile.context, profile.page])) {
    for (const name of lastingMethods.filter((name) => name in target)) {
      const method = target[name]
      target[name] = (/** @type {unknown[]} */ ...args) => {
        profile.reusable = false
        return method.apply(target, args)
      }
    }
  }
}

/**
 * Empties a profile for the next journey, or closes it.
 *
 * @param {Profile} profile
 */
export async function leaveProfile(profile) {
  if (isFirefox || !profile.reusable || profile.page.isClosed()) return profile.context.close()
  await empty(profile)
  left = profile
}

/** @param {Profile} profile */
async function empty({ context, page, hosts, removals }) {
  for (const tab of context.pages()) if (tab !== page) await tab.close()
  await page.goto('about:blank')
  for (const type of ['console', 'page', 'request', 'weberror']) context.removeAllListeners(type)
  page.removeAllListeners('websocket')
  for (const remove of removals.splice(0)) await remove()
  await context.clearCookies()
  const session = await context.newCDPSession(page)
  for (const host of hosts)
    await session.send('Storage.clearDataForOrigin', { origin: `http://${host}`, storageTypes: 'all' })
  await session.send('Page.resetNavigationHistory')
  await session.detach()
}
