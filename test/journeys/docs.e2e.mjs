// The built documentation, without a suite and without a network.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { assertAccessible } from '../kit/accessibility.mjs'
import { browser } from '../kit/browser.mjs'

const built = fileURLToPath(new URL('../../apps/docs/dist', import.meta.url))
const site = 'http://docs.test/below/a/path/'
const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}

describe('the documentation', () => {
  reader('finds a setting by its name in the environment', {}, async (page) => {
    await page.goto(site)
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('HAWSER_STORE_DSN')
    await found(page, /^store\.dsn/).click()
    await page.getByRole('heading', { name: 'store.dsn' }).waitFor()
    assert.equal(new URL(page.url()).hash, '#storedsn')
  })

  reader('is searched by the keyboard alone', {}, async (page) => {
    await page.goto(site)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('formatUnits')
    await page
      .getByRole('status')
      .filter({ hasText: /result/ })
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/core\.html#formatunits$/)
    await page.getByRole('heading', { name: 'formatUnits' }).waitFor()
  })

  reader('finds pages for readers before declarations, without code', {}, async (page) => {
    await page.goto(site)
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('swap fee')
    const results = page.getByRole('dialog').getByRole('listitem')
    await results.first().waitFor()
    assert.doesNotMatch((await results.first().textContent()) ?? '', /Packages:|API:/)
    for (const text of await results.allTextContents())
      assert.doesNotMatch(text, /&#?\w+;|readonly |interface /)
  })

  reader('does not move when its pictures come', {}, async (page) => {
    for (const path of ['index.html', 'demo.html']) {
      await page.goto(site + path)
      const shift = await page.evaluate(async () => {
        let sum = 0
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += /** @type {any} */ (entry).value
        })
        observer.observe({ type: 'layout-shift', buffered: true })
        for (const image of document.images) {
          if (!image.checkVisibility()) continue
          image.scrollIntoView()
          await image.decode()
        }
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        return sum
      })
      assert.equal(shift, 0, path)
    }
  })

  reader('says that nothing was found, and forgives a letter', {}, async (page) => {
    await page.goto(site)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill('xyzzyplugh')
    await page.getByText('Nothing was found.').waitFor()
    await page.getByRole('searchbox').fill('embeded walet')
    await found(page, /^Embedded wallet/).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  reader('says that its index was not loaded, and loads it with the next search', {}, async (page) => {
    await page.route('**/search.js', (route) => route.abort())
    await page.goto(site)
    await page.keyboard.press('/')
    const failure = page.getByText('The index could not be loaded.')
    await failure.waitFor()
    await page.getByRole('searchbox').fill('quickstart')
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    assert.ok(await failure.isVisible())
    await page.unroute('**/search.js')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('embedded wallet')
    await found(page, /^Embedded wallet/).waitFor()
  })

  reader('leads from a call to the types of its answer', {}, async (page) => {
    await page.goto(`${site}reference/api.html`)
    const menu = page.getByRole('navigation', { name: 'Pages' })
    await menu.getByRole('link', { name: 'balances', exact: true }).click()
    await page.getByText('GET /v1/account/{address}/balance').waitFor()
    await page.getByRole('group', { name: 'Table: GetBalance' }).getByRole('link').first().click()
    await page.locator('h3:target').waitFor()
  })

  reader('has a menu on a phone', { viewport: { width: 360, height: 740 } }, async (page) => {
    await page.goto(site)
    const menu = page.getByRole('navigation', { name: 'Pages' })
    await menu.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Pages' }).click()
    await menu.getByRole('link', { name: 'Quickstart' }).click()
    await page.getByRole('heading', { level: 1, name: 'Quickstart' }).waitFor()
  })

  reader('keeps the theme that the reader chose', {}, async (page) => {
    await page.goto(site)
    await page.getByRole('button', { name: 'Use the light theme' }).click()
    await page.getByRole('link', { name: 'Quickstart' }).first().click()
    await page.locator('html[data-theme=light]').waitFor()
  })

  test('is read and searched from a folder', { timeout: 30_000 }, async () => {
    const page = await (await browser()).newPage()
    await page.goto(pathToFileURL(join(built, 'operate', 'backup.html')).href)
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('quickstart')
    await found(page, /^Quickstart/).click()
    await page.getByRole('heading', { level: 1, name: 'Quickstart' }).waitFor()
    await page.close()
  })

  reader('fits a phone on every page', { viewport: { width: 360, height: 800 } }, async (page) => {
    for (const path of pages()) {
      await page.goto(site + path)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(wide <= 360, `${path} is ${wide} px wide`)
    }
  })

  for (const path of [
    'index.html',
    'quickstart.html',
    'concepts/parts.html',
    'concepts/smart-sessions.html',
    'operate/backup.html',
    'reference/api/preview.html',
    'reference/connectors.html',
  ]) {
    reader(`axe finds nothing on ${path}`, {}, async (page) => {
      await page.goto(site + path)
      await assertAccessible(page)
    })
  }

  reader('axe finds nothing in what was found', {}, async (page) => {
    await page.goto(site)
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('network')
    await page
      .getByRole('status')
      .filter({ hasText: /result/ })
      .waitFor()
    await assertAccessible(page)
  })
})

/**
 * Finds the first result of the search with such a title.
 *
 * @param {import('playwright-core').Page} page
 * @param {RegExp} title
 */
function found(page, title) {
  return page.getByRole('dialog').getByRole('link', { name: title }).first()
}

/** @returns {string[]} paths below the site */
function pages() {
  return readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'))
}

/**
 * Defines a test in which a reader has a browser of their own. The site is served below a path, and nothing
 * else answers; any other request fails the test.
 *
 * @param {string} name
 * @param {import('playwright-core').BrowserContextOptions} options
 * @param {(page: import('playwright-core').Page) => Promise<void>} body
 */
function reader(name, options, body) {
  test(name, { timeout: 60_000 }, async () => {
    const context = await (await browser()).newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme: 'dark',
      reducedMotion: 'reduce',
      ...options,
    })
    context.setDefaultTimeout(30_000)
    /** @type {string[]} */
    const foreign = []
    await context.route('**/*', (route) => {
      const url = route.request().url()
      const file = join(
        built,
        decodeURI(new URL(url).pathname.slice(new URL(site).pathname.length)) || 'index.html',
      )
      if (url.startsWith(site) && existsSync(file)) {
        const contentType =
          types[/** @type {keyof typeof types} */ (extname(file))] ?? 'application/octet-stream'
        return route.fulfill({ body: readFileSync(file), contentType })
      }
      if (!url.endsWith('/favicon.ico')) foreign.push(url)
      return route.abort()
    })
    try {
      await body(await context.newPage())
      assert.deepEqual(foreign, [], 'what the site does not have was requested')
    } finally {
      await context.close()
    }
  })
}
