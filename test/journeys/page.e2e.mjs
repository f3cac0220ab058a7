// The bytes and files that Hawser adds to a page, and when they are loaded. `make bench` measures time.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { announceWallet, launchBrowser, serveSite, since, total, watchFiles } from '../bench/page/site.mjs'

const budgets = { beforeLoad: 20, prefetch: 75, opening: 75, chunk: 60, filesToOpen: 3 }
const walletName = 'Page Wallet'

const site = await serveSite()
const browser = await launchBrowser()
after(async () => {
  await browser.close()
  await site.close()
})

/**
 * Opens a page in a browser profile of its own, or in one that was used before, and waits until it fetches no more.
 *
 * @param {string} path
 * @param {{ savesData?: boolean, context?: import('playwright-core').BrowserContext }} [visitor]
 */
async function open(path, { savesData = false, context } = {}) {
  const page = await (context ?? (await browser.newContext())).newPage()
  const files = await watchFiles(page)
  await page.addInitScript(announceWallet, walletName)
  if (savesData)
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
    )
  await page.goto(`${site.origin}${path}`)
  await page.getByRole('button').first().waitFor()
  await settle(page)
  return { page, files }
}

/**
 * Waits until a page is idle and has no pending requests.
 *
 * @param {import('playwright-core').Page} page
 */
async function settle(page) {
  for (let round = 0; round < 3; round++) {
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    await page.waitForTimeout(250)
  }
}

/** @param {Map<string, number>} sizes */
const list = (sizes) => [...sizes].map(([path, bytes]) => `${path} ${bytes}`).join(', ')

/** @param {import('playwright-core').Page} page */
async function openModal(page) {
  await page.getByTestId('connect-button').or(page.getByTestId('account-button')).click()
  await page.locator('dialog[open] [data-view]').waitFor()
}

describe('a visitor who is not connected', () => {
  test('loads only the buttons before `load`', async () => {
    const { files: react } = await open('react.html')
    const { files } = await open('hawser.html?prefetch=false')
    const cost = total(files()) - total(react())
    assert.ok(cost > 5 && cost <= budgets.beforeLoad, `${cost.toFixed(1)} KiB over React`)
  })

  test('has the modal fetched in idle time after `load`, and none of it on the click', async () => {
    const plain = await open('hawser.html?prefetch=false')
    const { page, files } = await open('hawser.html')
    const prefetched = since(files(), plain.files())
    assert.ok(prefetched.size > 0, 'nothing was fetched in idle time')
    assert.ok(total(prefetched) <= budgets.prefetch, `${total(prefetched).toFixed(1)} KiB in idle time`)
    const early = await page.evaluate(() => {
      const [navigation] = performance.getEntriesByType('navigation')
      const { loadEventStart } = /** @type {PerformanceNavigationTiming} */ (navigation)
      const fetched = performance.getEntriesByType('resource')
      return fetched
        .filter(({ startTime }) => startTime < loadEventStart)
        .map(({ name }) => new URL(name).pathname)
    })
    assert.deepEqual(
      early.filter((path) => prefetched.has(path)),
      [],
    )

    await page.context().setOffline(true)
    await openModal(page)
    await page.locator('dialog').getByRole('button', { name: walletName }).waitFor()
  })

  for (const { who, path, savesData } of [
    { who: 'whose site says `prefetch: false`', path: 'hawser.html?prefetch=false', savesData: false },
    { who: 'who saves data', path: 'hawser.html', savesData: true },
  ]) {
    test(`${who} gets it on the click, in at most three files`, async () => {
      const { page, files } = await open(path, { savesData })
      const before = files()
      assert.ok(![...before.keys()].some((file) => file.includes('shell')), list(before))
      await openModal(page)
      await settle(page)
      const opening = since(files(), before)
      assert.ok(opening.size > 0 && opening.size <= budgets.filesToOpen, list(opening))
      assert.ok(total(opening) <= budgets.opening, `${total(opening).toFixed(1)} KiB`)
    })
  }

  test('has it fetched as soon as the button is pressed down', async () => {
    const { page, files } = await open('hawser.html?prefetch=false')
    const before = files()
    await page.getByTestId('connect-button').dispatchEvent('pointerdown')
    await settle(page)
    assert.ok(since(files(), before).size > 0)
    assert.equal(await page.locator('dialog[open]').count(), 0)
  })
})

describe('a visitor who is connected', () => {
  /** @returns {Promise<import('playwright-core').BrowserContext>} a profile with a connected wallet in it */
  async function connectedProfile() {
    const context = await browser.newContext()
    const { page } = await open('hawser.html', { context })
    await openModal(page)
    await page.locator('dialog').getByRole('button', { name: walletName }).click()
    await page.getByTestId('account-button').waitFor()
    await settle(page)
    await page.close()
    return context
  }

  test('has the account fetched in idle time, the rest once the modal is open', async () => {
    const context = await connectedProfile()
    const plain = await open('hawser.html?prefetch=false', { context })
    await plain.page.close()
    const { page, files } = await open('hawser.html', { context })
    await page.getByTestId('account-button').waitFor()
    const prefetched = since(files(), plain.files())
    assert.ok(prefetched.size > 0 && total(prefetched) <= budgets.prefetch, list(prefetched))

    const before = files()
    await openModal(page)
    await page.locator('dialog [data-view=Account]').waitFor()
    await settle(page)
    const opening = since(files(), before)
    assert.ok(total(opening) <= budgets.opening, `${total(opening).toFixed(1)} KiB: ${list(opening)}`)
    const largest = [...files()].filter(([path]) => !/jsx-runtime|client/.test(path))
    for (const [path, bytes] of largest)
      assert.ok(bytes / 1024 <= budgets.chunk, `${path} has ${bytes} bytes`)
  })

  test('opens it in at most three files where nothing was fetched before', async () => {
    const context = await connectedProfile()
    const { page, files } = await open('hawser.html?prefetch=false', { context })
    await page.getByTestId('account-button').waitFor()
    await settle(page)
    const before = files()
    await openModal(page)
    await page.locator('dialog [data-view=Account] [role=tablist]').waitFor()
    await settle(page)
    const opening = since(files(), before)
    assert.ok(opening.size > 0 && opening.size <= budgets.filesToOpen, list(opening))
  })
})
