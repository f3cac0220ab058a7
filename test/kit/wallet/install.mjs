import { announce } from './announce.mjs'

/**
 * Puts a wallet into every page of a browser context, announced by EIP-6963. Its requests are
 * answered here in Node; its events reach the pages of the origin they concern.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {import('./testWallet.mjs').TestWallet} wallet
 * @returns {Promise<() => Promise<void>>} removes it from pages that are loaded later
 */
export async function installWallet(context, wallet) {
  const channel = `testWallet_${wallet.info.uuid.replaceAll('-', '')}`

  const binding = await context.exposeBinding(channel, async ({ frame }, request) => {
    try {
      return { result: await wallet.request(new URL(frame.url()).origin, request) }
    } catch (error) {
      const {
        code = -32603,
        message,
        data,
      } = /** @type {{ code?: number | string, message: string, data?: unknown }} */ (error)
      return { error: { code, message, data } }
    }
  })
  wallet.onEvent((origin, event, payload) => {
    for (const page of context.pages()) {
      if (origin !== undefined && originOf(page) !== origin) continue
      page.evaluate(dispatch, { channel, detail: { event, payload } }).catch(() => {}) // navigating or closed
    }
  })
  const script = await context.addInitScript(announce, { channel, info: wallet.info })
  return async () => {
    await script.dispose()
    await binding.dispose()
  }
}

/**
 * Runs inside the page.
 *
 * @param {{ channel: string, detail: { event: string, payload: unknown } }} event
 */
function dispatch({ channel, detail }) {
  window.dispatchEvent(new CustomEvent(channel, { detail }))
}

/** @param {import('playwright-core').Page} page */
function originOf(page) {
  return URL.canParse(page.url()) ? new URL(page.url()).origin : undefined
}
