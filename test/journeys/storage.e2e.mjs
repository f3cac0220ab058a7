import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { parseEther } from 'viem'
import { browser, partitionedStorage, patience } from '../kit/browser.mjs'
import { devnet } from '../kit/chain.mjs'
import { launchChromium } from '../kit/chromium.mjs'
import { logIn, mailedCode, newEmail, requestCode, walletFrame } from '../kit/embedded.mjs'
import { eventually } from '../kit/eventually.mjs'
import { photograph } from '../kit/journey.mjs'
import { Modal } from '../kit/modal.mjs'
import { openPairing, phoneOf } from '../kit/phones.mjs'
import { press } from '../kit/press.mjs'
import { isFirefox } from '../kit/selection.mjs'
import { site } from '../kit/site.mjs'

/** @typedef {{ page: import('playwright-core').Page, modal: Modal }} Tab */

/**
 * What a browser lets the wallet's frame store, which is of another site than the page.
 *
 * @typedef {object} Kind
 * @property {string} name
 * @property {boolean} isKept whether the login is there for other tabs and after a reload
 * @property {() => Promise<import('playwright-core').Browser>} launch
 */

/** @type {Promise<import('playwright-core').Browser>[]} */
const launched = []
after(() => Promise.all(launched.map(async (each) => (await each).close())))

/** @param {() => Promise<import('playwright-core').Browser>} launch */
function once(launch) {
  /** @type {Promise<import('playwright-core').Browser> | undefined} */
  let launching
  return () => {
    if (!launching) {
      launching = launch()
      launched.push(launching)
    }
    return launching
  }
}

/** @type {Kind[]} */
const chromiumKinds = [
  // Playwright switches off the partition, and Chromium without windows has no setting that denies the rest.
  { name: 'allowed', isKept: true, launch: once(() => launchChromium()) },
  { name: 'partitioned', isKept: true, launch: browser },
  // Profiles of journeys are private windows, where Chromium denies what it does not partition.
  { name: 'denied', isKept: false, launch: once(() => launchChromium([], { whole: true })) },
]

/** @type {Kind[]} */
const kinds = isFirefox
  ? [{ name: 'parted by total cookie protection', isKept: true, launch: browser }]
  : chromiumKinds

/**
 * Opens a page of the demo in a tab.
 *
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} path
 * @returns {Promise<Tab>}
 */
async function openTab(context, path = '/lab?devWallet=0') {
  const page = await context.newPage()
  await page.goto(new URL(path, site.url).href)
  return { page, modal: new Modal(page) }
}

const PASSWORD = 'correct horse battery staple'

/**
 * Logs a new user in, who chooses a password where the browser stores nothing.
 *
 * @param {Kind} kind
 * @param {import('playwright-core').BrowserContext} context
 * @param {Tab} tab
 */
async function logInNewUser({ isKept }, context, { page, modal }) {
  // A click in the frame of a page behind another one can be lost.
  await page.bringToFront()
  const email = newEmail()
  if (isKept) return logIn({ context, page, modal }, email)
  await requestCode({ context, page, modal }, email)
  await modal.find('wui-otp-input').fill(await mailedCode(email))
  const frame = walletFrame(page)
  await frame.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await frame.getByLabel('Repeat the password').fill(PASSWORD)
  await frame.getByRole('button', { name: 'Use a password' }).click()
  await modal.accountButton.waitFor()
  await modal.isClosed()
}

/**
 * Asserts that a tab is logged in with a wallet that signs, or is not logged in and waits for nothing.
 *
 * @param {Tab} tab
 * @param {boolean} isLoggedIn
 */
async function assertLogin({ page, modal }, isLoggedIn) {
  await page.bringToFront()
  if (!isLoggedIn) {
    await modal.connectButton.waitFor()
    return assert.equal(await modal.accountButton.count(), 0)
  }
  await modal.accountButton.waitFor()
  await modal.press('sign-message-button')
  await press(walletFrame(page).getByRole('button', { name: 'Approve' }))
  await modal.find('w3m-signature').waitFor()
  await modal.isClosed()
}

/**
 * Defines a test in an empty profile of a browser.
 *
 * @param {Kind} kind
 * @param {string} name
 * @param {(context: import('playwright-core').BrowserContext) => Promise<void>} body
 */
function visit({ name: kind, launch }, name, body) {
  test(name, { timeout: 120_000 }, async () => {
    const context = await (await launch()).newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme: 'dark',
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(patience)
    try {
      await body(context)
    } catch (error) {
      await photograph(context, `storage ${kind} ${name}`)
      throw error
    } finally {
      await context.close()
    }
  })
}

for (const kind of kinds) {
  describe(`storage of the wallet's frame that is ${kind.name}`, () => {
    visit(kind, 'a login stays beside a second instance on the page', async (context) => {
      const tab = await openTab(context, '/')
      const second = tab.page.frameLocator('[data-testid=live-modal]')
      await second.getByTestId('w3m-modal-card').waitFor()
      await logInNewUser(kind, context, tab)
      if (kind.isKept) await second.locator('#hawser-frame').waitFor({ state: 'attached' })
      await tab.modal.openAccount()
      const notice = tab.modal.find('account-ends-with-tab')
      if (kind.isKept)
        await tab.modal.card.getByText('No tokens').or(tab.modal.find('token-ETH')).first().waitFor()
      else await notice.getByText('Your login ends with this tab').waitFor()
      assert.equal(await notice.count(), kind.isKept ? 0 : 1)
      await tab.modal.accountButton.waitFor()
    })

    visit(kind, 'a login in one of two tabs', async (context) => {
      const [first, second] = [await openTab(context), await openTab(context)]
      await logInNewUser(kind, context, first)
      await assertLogin(second, kind.isKept)
      await assertLogin(first, true)
    })

    visit(kind, 'a login before a second tab is opened', async (context) => {
      const first = await openTab(context)
      await logInNewUser(kind, context, first)
      const second = await openTab(context)
      await assertLogin(second, kind.isKept)
      await assertLogin(first, true)
    })

    visit(kind, 'a login over a reload, which ends none of another tab', async (context) => {
      const [first, second] = [await openTab(context), await openTab(context)]
      await logInNewUser(kind, context, first)
      if (!kind.isKept) await logInNewUser(kind, context, second)
      await second.page.bringToFront()
      await second.modal.accountButton.waitFor()
      await second.page.reload()
      await assertLogin(second, kind.isKept)
      await assertLogin(first, true)
    })

    visit(kind, 'a disconnect ends the login of its tab, and of those that share it', async (context) => {
      const [first, second] = [await openTab(context), await openTab(context)]
      await logInNewUser(kind, context, first)
      if (!kind.isKept) await logInNewUser(kind, context, second)
      await second.page.bringToFront()
      await second.modal.openAccount()
      await second.modal.press('account-settings-button')
      await second.modal.press('disconnect-button')
      await assertLogin(second, false)
      await assertLogin(first, !kind.isKept)
    })
  })
}

// Firefox' pages are driven by a protocol that ends with them.
describe('a page that the browser keeps for the way back', { skip: isFirefox }, () => {
  /** @type {Kind} */
  const keeping = {
    name: 'kept',
    isKept: true,
    launch: once(() => launchChromium([], { whole: true, keepsPages: true, args: [partitionedStorage] })),
  }

  /**
   * Leaves a page for another one, and comes back by the button of the browser once `meanwhile` is done.
   *
   * @param {Tab} tab
   * @param {() => Promise<unknown>} meanwhile
   */
  async function leaveAndReturn({ page }, meanwhile) {
    await page.evaluate(() => {
      addEventListener('pageshow', ({ persisted }) => Object.assign(window, { isRestored: persisted }))
    })
    await page.goto(new URL('/embed', site.url).href)
    await meanwhile()
    await page.evaluate(() => history.back())
    await page.waitForFunction(() => location.pathname === '/lab')
    const reasons = await page.evaluate(() =>
      JSON.stringify(
        performance.getEntriesByType('navigation').map((entry) => Object(entry).notRestoredReasons),
      ),
    )
    await page
      .waitForFunction(() => Object(window).isRestored, null, { timeout: 5_000 })
      .catch(() => {
        throw new Error(`the page was loaded again: ${reasons}`)
      })
  }

  /**
   * Approves a message by the pointer alone: Playwright does not find the frame of a restored page.
   *
   * @param {Tab} tab
   */
  async function approveByPointer({ page, modal }) {
    await modal.shows('ApproveTransaction')
    const frame = page.locator('#hawser-frame')
    await eventually(async () => {
      const box = await frame.boundingBox()
      if (box) {
        const [x, y] = [box.x + box.width * 0.65, box.y + box.height - 40]
        await page.mouse.move(x - 20, y)
        // The guard of the button arms once the pointer has rested.
        await page.waitForTimeout(1_000)
        await page.mouse.move(x, y)
        await page.mouse.click(x, y)
      }
      await modal.find('w3m-signature').waitFor({ timeout: 2_000 })
    })
  }

  visit(keeping, 'has the frame of its login, and what changed meanwhile', async (context) => {
    const tab = await openTab(context)
    await logInNewUser(keeping, context, tab)
    const text = (await tab.modal.find('w3m-address').textContent()) ?? ''
    const address = /** @type {`0x${string}`} */ (/0x[0-9a-f]{40}/i.exec(text)?.[0])
    await tab.modal.nativeBalanceIs('0')
    await leaveAndReturn(tab, () => devnet.pay(address, parseEther('3')))
    await tab.modal.nativeBalanceIs('3')
    await tab.modal.press('sign-message-button')
    await approveByPointer(tab)
    await devnet.pay(address, parseEther('1'))
    await tab.modal.nativeBalanceIs('4')
  })

  visit(keeping, 'follows a disconnect in another tab', async (context) => {
    const [first, second] = [await openTab(context), await openTab(context)]
    await logInNewUser(keeping, context, first)
    await second.modal.accountButton.waitFor()
    await leaveAndReturn(first, async () => {
      await second.page.bringToFront()
      await second.modal.openAccount()
      await second.modal.press('account-settings-button')
      await second.modal.press('disconnect-button')
      await assertLogin(second, false)
      await first.page.bringToFront()
    })
    await assertLogin(first, false)
  })

  visit(keeping, 'has its session with a wallet on a phone', async (context) => {
    const tab = await openTab(context, '/lab?devWallet=0&pairing=1')
    const phone = phoneOf()
    phone.scan(await openPairing(tab.modal))
    await tab.modal.accountButton.waitFor()
    await tab.modal.isClosed()
    await leaveAndReturn(tab, async () => undefined)
    await tab.modal.press('sign-message-button')
    await tab.modal.find('w3m-signature').waitFor()
    await phone.disconnect()
    await assertLogin(tab, false)
  })
})
