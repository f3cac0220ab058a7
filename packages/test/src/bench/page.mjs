// What a page pays for Hawser: bytes over React before and after the modal opens, and the time from click to paint.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { build, preview } from 'vite'

const root = fileURLToPath(new URL('./fixture/', import.meta.url))
const OPENINGS = 25

const outDir = await mkdtemp(join(tmpdir(), 'hawser-page-'))
try {
  await buildPages()
  await measure()
} finally {
  await rm(outDir, { recursive: true, force: true })
}

async function buildPages() {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      rollupOptions: { input: [join(root, 'react.html'), join(root, 'hawser.html')] },
    },
  })
}

async function measure() {
  const server = await preview({
    root,
    configFile: false,
    logLevel: 'error',
    build: { outDir },
    preview: { port: 0, host: '127.0.0.1' },
  })
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
    ],
  })
  try {
    const origin = server.resolvedUrls?.local[0]
    if (!origin) throw new Error('the preview server has no address')
    const react = await load(browser, `${origin}react.html`)
    await react.page.close()
    const hawser = await load(browser, `${origin}hawser.html`)
    const before = hawser.bytes() - react.bytes()
    report('page: gzipped bytes over React before the modal opens', before / 1024, 'KiB', 20)

    const closed = hawser.bytes()
    await hawser.page.getByTestId('connect-button').click()
    await hawser.page.locator('dialog[open]').waitFor()
    await hawser.page.waitForTimeout(1500)
    report('page: gzipped bytes that opening it costs', (hawser.bytes() - closed) / 1024, 'KiB', 60)
    report('page: the largest chunk, gzipped', hawser.largest() / 1024, 'KiB', 60)
    report('page: click to modal painted, median', await clickToPaint(hawser.page), 'ms', 50)
  } finally {
    await browser.close()
    await server.close()
  }
}

/**
 * Opens a page and counts every script and style it fetches, as gzip -9 would ship it. Requests to the gateway hang.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 */
async function load(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  /** @type {Map<string, number>} */
  /** @type {Map<string, number>} */
  const sizes = new Map()
  page.on('response', async (response) => {
    if (!/\.(js|css)$/.test(new URL(response.url()).pathname)) return
    sizes.set(response.url(), gzipSync(await response.body(), { level: 9 }).length)
  })
  await page.route('http://gateway.invalid/**', () => {})
  await page.goto(url)
  await page.getByRole('button').waitFor()
  await page.waitForTimeout(4000)
  return {
    page,
    bytes: () => [...sizes.values()].reduce((sum, size) => sum + size, 0),
    largest: () =>
      Math.max(...[...sizes].filter(([url]) => !/react-?dom|client/.test(url)).map(([, size]) => size)),
  }
}

/**
 * @param {import('playwright-core').Page} page
 * @returns {Promise<number>} milliseconds, the median of all openings
 */
async function clickToPaint(page) {
  /** @type {number[]} */
  const times = []
  for (let i = 0; i < OPENINGS; i++) {
    await page.keyboard.press('Escape')
    await page
      .locator('dialog[open]')
      .waitFor({ state: 'detached' })
      .catch(() => {})
    await page.waitForFunction(() => !document.querySelector('dialog[open]'))
    await page.evaluate(watchNextOpening)
    await page.getByTestId('connect-button').click()
    times.push(await page.evaluate(() => /** @type {any} */ (window).painted))
  }
  return times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN ?? Number.NaN
}

/** Runs inside the page: notes the time from the click until the frame with the open dialog was painted. */
function watchNextOpening() {
  const painted = new Promise((resolve) => {
    addEventListener(
      'click',
      (event) => {
        const look = () => {
          if (!document.querySelector('dialog[open]')) return requestAnimationFrame(look)
          const channel = new MessageChannel()
          channel.port1.onmessage = () => resolve(performance.now() - event.timeStamp)
          requestAnimationFrame(() => channel.port2.postMessage(0))
        }
        requestAnimationFrame(look)
      },
      { capture: true, once: true },
    )
  })
  Object.assign(window, { painted })
}

/**
 * @param {string} what
 * @param {number} got
 * @param {string} unit
 * @param {number} budget
 */
/**
 * @param {string} what
 * @param {number} got
 * @param {string} unit
 * @param {number} budget
 */
function report(what, got, unit, budget) {
  const verdict = got > budget ? 'OVER' : 'ok'
  console.log(
    `${what.padEnd(58)} ${got.toFixed(2).padStart(8)} ${unit.padEnd(4)} budget ${budget.toFixed(2).padStart(5)}  ${verdict}`,
  )
}
