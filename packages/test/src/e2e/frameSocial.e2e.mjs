import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verifyMessage } from 'viem'
import { newProfile, openSite, projectId, shop, sign, stack } from './harness/frame.mjs'

const patience = { timeout: 120_000 }

describe('a visitor who signs in with a social account', () => {
  for (const provider of /** @type {const} */ (['google', 'github', 'apple']))
    test(`of ${provider} has a wallet, although the popup cannot reach the site`, patience, async () => {
      const { context } = await newProfile()
      const page = await openSite(context, shop)
      const { uri } = await page.evaluate(
        (provider) => window.wallet.getSocialRedirectUri(provider),
        provider,
      )
      // A tab without an opener, as providers leave it.
      const popup = await context.newPage()
      await popup.goto(uri)
      const connecting = page.evaluate((uri) => window.wallet.connectSocial(uri), uri)
      await popup.getByTestId('person-alice').click()
      await popup.getByText('You are signed in').waitFor()

      const user = await connecting
      assert.ok(user.userName || user.email)
      const address = /** @type {`0x${string}`} */ (user.address)
      assert.ok(await verifyMessage({ address, message: 'hello', signature: await sign(page, 'hello') }))
      assert.equal(new URL(popup.url()).search, '')
    })
})

test('the login ends while the language of the popup is still being loaded', patience, async () => {
  const { context } = await newProfile({ locale: 'de-DE' })
  const page = await openSite(context, shop)
  const { uri } = await page.evaluate(() => window.wallet.getSocialRedirectUri('google'))
  const popup = await context.newPage()
  // The texts neither load nor time out.
  await popup.route(/\/assets\/de-[^/]*\.js$/, () => {})
  await popup.addInitScript(() => {
    const start = window.setTimeout.bind(window)
    Object.assign(window, {
      setTimeout: (/** @type {TimerHandler} */ task, ms = 0) => (ms < 3_000 ? start(task, ms) : 0),
    })
  })
  await popup.goto(uri)
  const connecting = page.evaluate((uri) => window.wallet.connectSocial(uri), uri)
  await popup.getByTestId('person-alice').click()
  assert.ok((await connecting).address)
  assert.equal(new URL(popup.url()).search, '')
  assert.equal(await popup.locator('h1').count(), 0)
})

/**
 * Posts a message of an older SDK to the frame and returns what the frame answers.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} type
 * @param {object} [payload]
 * @returns {Promise<{ origin: string, type: string, payload: unknown }>}
 */
function post(page, type, payload) {
  return page.evaluate(
    ({ type, payload }) =>
      new Promise((resolve) => {
        const id = crypto.randomUUID()
        window.addEventListener('message', function receive({ data, origin }) {
          if (data?.id !== id) return
          window.removeEventListener('message', receive)
          resolve({ origin, type: data.type, payload: data.payload })
        })
        const frame = /** @type {HTMLIFrameElement} */ (document.querySelector('iframe'))
        frame.contentWindow?.postMessage({ type, id, payload }, '*')
      }),
    { type, payload },
  )
}

test('an older SDK is answered through the window, at its own origin', patience, async () => {
  const { context } = await newProfile()
  const page = await context.newPage()
  await page.goto(shop)
  const ready = await page.evaluate(
    (src) =>
      new Promise((resolve) => {
        window.addEventListener('message', ({ data, origin }) => resolve({ ...data, origin }), {
          once: true,
        })
        const frame = document.body.appendChild(document.createElement('iframe'))
        frame.src = src
      }),
    `${stack.frameOrigin}/sdk?projectId=${projectId}&chainId=eip155:1&version=4&enableLogger=false`,
  )
  assert.deepEqual(ready, { type: '@w3m-frame/READY', payload: {}, origin: stack.frameOrigin })
  const connected = await post(page, '@w3m-app/IS_CONNECTED')
  assert.deepEqual(connected, {
    origin: stack.frameOrigin,
    type: '@w3m-frame/IS_CONNECTED_SUCCESS',
    payload: { isConnected: false },
  })
  const refused = await post(page, '@w3m-app/RPC_REQUEST', { method: 'eth_sign' })
  assert.equal(refused.type, '@w3m-frame/RPC_REQUEST_ERROR')
})
