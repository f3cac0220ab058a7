import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verifyMessage } from 'viem'
import { newProfile, openSite, projectId, shop, sign } from '../kit/frame.mjs'
import { press } from '../kit/press.mjs'
import { site } from '../kit/site.mjs'

const patience = { timeout: 120_000 }

/**
 * Opens an empty popup, and returns its page and a function that navigates it as the page that opened it.
 *
 * @param {import('playwright-core').Page} page
 */
async function openPopup(page) {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(() => {
      window.popup = window.open('')
    }),
  ])
  const show = (/** @type {string} */ uri) =>
    page.evaluate((uri) => void window.popup?.location.replace(uri), uri)
  return { popup, show }
}

/**
 * Starts a social login, and returns the address for its popup.
 *
 * @param {import('playwright-core').Page} page
 * @param {'google' | 'github' | 'apple'} [provider]
 */
async function startSocial(page, provider = 'google') {
  const { uri } = await page.evaluate((provider) => window.wallet.getSocialRedirectUri(provider), provider)
  return uri
}

/**
 * Ends a social login.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} uri
 */
const connectSocial = (page, uri) => page.evaluate((uri) => window.wallet.connectSocial(uri), uri)

describe('a visitor who signs in with a social account', () => {
  for (const provider of /** @type {const} */ (['google', 'github', 'apple']))
    test(`of ${provider} has a wallet`, patience, async () => {
      const { context } = await newProfile()
      const page = await openSite(context, shop)
      const uri = await startSocial(page, provider)
      const { popup, show } = await openPopup(page)
      await show(uri)
      const connecting = connectSocial(page, uri)
      await popup.getByTestId('person-dave').waitFor()
      assert.equal(await popup.evaluate(() => window.opener), null)
      const closed = popup.waitForEvent('close')
      await popup.getByTestId('person-dave').click()

      const user = await connecting
      await closed
      assert.ok(user.userName || user.email)
      const address = /** @type {`0x${string}`} */ (user.address)
      assert.ok(await verifyMessage({ address, message: 'hello', signature: await sign(page, 'hello') }))
    })
})

describe('a link to a login that somebody else started', () => {
  /** Opens the link of another visitor, and signs in at the provider. */
  async function followLink() {
    const other = await openSite((await newProfile()).context, shop)
    const uri = await startSocial(other)
    const connecting = connectSocial(other, uri).then(
      ({ address }) => address,
      () => 'refused',
    )
    const page = await (await newProfile()).context.newPage()
    await page.goto(uri)
    await page.getByTestId('person-dave').click()
    await page.getByRole('heading', { name: 'Is this your login?' }).waitFor()
    await page.getByText(shop).waitFor()
    await page.getByText('Google').waitFor()
    assert.equal(new URL(page.url()).search, '')
    return { page, connecting }
  }

  test('signs nobody in if the visitor denies it', patience, async () => {
    const { page, connecting } = await followLink()
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('No one was signed in').waitFor()
    assert.equal(await connecting, 'refused')
  })

  test('signs the other device in if the visitor approves it', patience, async () => {
    const { page, connecting } = await followLink()
    await press(page.getByRole('button', { name: 'Approve' }))
    await page.getByText('You are signed in').waitFor()
    assert.match(await connecting, /^0x/)
  })
})

test('a login that was canceled at the provider fails without a question', patience, async () => {
  const page = await openSite((await newProfile()).context, shop)
  const popup = await page.context().newPage()
  await popup.goto(await startSocial(page))
  await popup.getByTestId('cancel').click()
  await popup.getByText('The login failed').waitFor()
})

test('the login ends while the language of the popup is still being loaded', patience, async () => {
  const { context } = await newProfile({ locale: 'de-DE' })
  const page = await openSite(context, shop)
  const uri = await startSocial(page)
  const { popup, show } = await openPopup(page)
  // The texts neither load nor time out.
  await popup.route(/\/assets\/frame-[^/]*\.js$/, () => {})
  await popup.addInitScript(() => {
    const start = window.setTimeout.bind(window)
    Object.assign(window, {
      setTimeout: (/** @type {TimerHandler} */ task, ms = 0) => (ms < 3_000 ? start(task, ms) : 0),
      close: () => undefined,
    })
  })
  await show(uri)
  const connecting = connectSocial(page, uri)
  await popup.getByTestId('person-dave').click()
  assert.ok((await connecting).address)
  assert.equal(new URL(popup.url()).search, '')
  // Nothing is drawn over the page that the server sent.
  assert.equal(await popup.locator('h1').textContent(), 'Wallet')
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
    `${site.frameOrigin}/sdk?projectId=${projectId}&chainId=eip155:1&version=4&enableLogger=false`,
  )
  assert.deepEqual(ready, { type: '@w3m-frame/READY', payload: {}, origin: site.frameOrigin })
  const connected = await post(page, '@w3m-app/IS_CONNECTED')
  assert.deepEqual(connected, {
    origin: site.frameOrigin,
    type: '@w3m-frame/IS_CONNECTED_SUCCESS',
    payload: { isConnected: false },
  })
  const refused = await post(page, '@w3m-app/RPC_REQUEST', { method: 'eth_sign' })
  assert.equal(refused.type, '@w3m-frame/RPC_REQUEST_ERROR')
})
