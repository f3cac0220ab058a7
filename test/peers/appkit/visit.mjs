import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { devnet } from '../../kit/chain.mjs'
import { launchChromium } from '../../kit/chromium.mjs'
import { site } from '../../kit/site.mjs'
import { installWallet } from '../../kit/wallet/install.mjs'
import { origin } from './site.mjs'

/** The API host of the clients. */
const vendor = 'rpc.walletconnect.org'

// A page that no server sent counts as one of the public network, which may not show a frame of this machine.
const browser = await launchChromium([], { args: ['--disable-features=LocalNetworkAccessChecks'] })
after(() => browser.close())

const pictures = fileURLToPath(new URL('../../../.hawser/oldclients', import.meta.url))

/**
 * An answer of the gateway to a client.
 * @typedef {object} Answer
 * @property {string} path
 * @property {URLSearchParams} query
 * @property {number} status
 * @property {any} body of JSON; absent for a picture
 */

/**
 * A visitor on the site of an old client.
 * @typedef {object} Visit
 * @property {import('playwright-core').Page} page
 * @property {import('playwright-core').Locator} card of the modal
 * @property {Answer[]} answers all so far
 * @property {(view?: string) => Promise<void>} open opens the modal, at a view
 * @property {() => Promise<string>} shown what a screen reader reads in the modal
 */

/**
 * Opens a site in a browser profile of its own, for as long as the body runs.
 *
 * @param {object} options
 * @param {string} options.name of the pictures if it fails
 * @param {import('./site.mjs').Site} options.answer
 * @param {import('../../kit/wallet/testWallet.mjs').TestWallet} [options.wallet] in the browser; none by default
 * @param {object} [options.features] of the site
 * @param {(visit: Visit) => Promise<void>} body
 */
export async function visit({ name, answer, wallet, features }, body) {
  const context = await browser.newContext({ colorScheme: 'dark' })
  context.setDefaultTimeout(20_000)
  const answers = await routeToGateway(context, answer)
  if (wallet) await installWallet(context, wallet)
  await context.addInitScript((settings) => Object.assign(window, { settings }), {
    projectId: site.projectId,
    network: network(),
    features,
  })
  // The address of the wallet's frame is a variable of the client's build.
  await context.addInitScript((env) => Object.assign(window, { process: { env } }), {
    NEXT_PUBLIC_SECURE_SITE_SDK_URL: `${site.frameOrigin}/sdk`,
    NEXT_PUBLIC_SECURE_SITE_ORIGIN: site.frameOrigin,
  })
  const page = await context.newPage()
  const card = page.getByTestId('w3m-modal-card')
  const open = async (/** @type {string | undefined} */ view = undefined) => {
    await page.evaluate((to) => /** @type {any} */ (window).modal.open(to && { view: to }), view)
    await card.waitFor()
  }
  try {
    await page.goto(origin)
    await page.waitForFunction(() => 'modal' in window)
    // A modal of 1.8.0 that opens before its client is ready never loads the views of its features.
    await page.evaluate(() => /** @type {any} */ (window).modal.ready?.())
    await body({ page, card, answers, open, shown: () => card.ariaSnapshot() })
  } catch (error) {
    mkdirSync(pictures, { recursive: true })
    await page.screenshot({ path: join(pictures, `${name}.png`), timeout: 5_000 }).catch(() => {}) // the failure itself matters more
    throw error
  } finally {
    await context.unrouteAll({ behavior: 'ignoreErrors' }) // the client may be asking at this moment
    await context.close()
  }
}

/** The first local chain, as a site describes a network that the client does not know. */
function network() {
  const rpcUrl = `${site.gatewayUrl}/v1/?chainId=${devnet.caip2}&projectId=${site.projectId}`
  return {
    id: devnet.chainId,
    caipNetworkId: devnet.caip2,
    chainNamespace: 'eip155',
    name: devnet.name,
    nativeCurrency: devnet.nativeCurrency,
    rpcUrls: { default: { http: [rpcUrl] } },
  }
}

/**
 * Routes requests to the vendor's host to the gateway, and refuses all hosts but the site and the gateway.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {import('./site.mjs').Site} answer
 */
async function routeToGateway(context, answer) {
  /** @type {Answer[]} */
  const answers = []
  await context.routeWebSocket(/.*/, (socket) => socket.close())
  await context.route(/.*/, async (route) => {
    const { origin: from, host, pathname, search, searchParams } = new URL(route.request().url())
    if (from === origin) return route.fulfill(answer(pathname))
    if (from === site.frameOrigin) return route.continue()
    if (host !== vendor && from !== site.gatewayUrl) return route.abort()
    const response = await route.fetch({ url: `${site.gatewayUrl}${pathname}${search}` })
    const body = response.headers()['content-type']?.startsWith('application/json')
      ? await response.json()
      : undefined
    answers.push({ path: pathname, query: searchParams, status: response.status(), body })
    return route.fulfill({ response })
  })
  return answers
}
