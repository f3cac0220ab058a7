// Measures what Hawser adds to a page: bytes in addition to React before and after the modal opens, and the
// time of a later opening.
import { launchBrowser, serveSite, since, total, watchFiles } from './site.mjs'

const OPENINGS = 25

const site = await serveSite()
const browser = await launchBrowser()
try {
  const react = await open('react.html')
  const lean = await open('hawser.html?prefetch=false')
  const before = lean.files()
  await openModal(lean.page)
  const opening = since(lean.files(), before)
  const { page, files } = await open('hawser.html')
  report('page: gzipped bytes over React before `load`', total(before) - total(react.files()), 'KiB', 20)
  report('page: gzipped bytes fetched in idle time', total(since(files(), before)), 'KiB', 75)
  report('page: gzipped bytes that opening costs without them', total(opening), 'KiB', 75)
  report('page: scripts and styles that opening fetches without them', opening.size, '', 3)
  const prefetched = files()
  await openModal(page)
  report('page: gzipped bytes that opening costs after them', total(since(files(), prefetched)), 'KiB', 75)
  report('page: any later opening, median', await clickToPaint(page), 'ms', 30)
} finally {
  await browser.close()
  await site.close()
}

/** @param {string} path */
async function open(path) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const files = await watchFiles(page)
  await page.goto(`${site.origin}${path}`)
  await page.getByRole('button').waitFor()
  await page.waitForTimeout(2000)
  return { page, files }
}

/** @param {import('playwright-core').Page} page */
async function openModal(page) {
  await page.getByTestId('connect-button').click()
  await page.locator('dialog[open]').waitFor()
  await page.waitForTimeout(1500)
}

/**
 * @param {import('playwright-core').Page} page with the modal open
 * @returns {Promise<number>} milliseconds, the median of all openings
 */
async function clickToPaint(page) {
  /** @type {number[]} */
  const times = []
  for (let i = 0; i < OPENINGS; i++) {
    await page.keyboard.press('Escape')
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
    await page.evaluate(watchNextOpening)
    await page.getByTestId('connect-button').click()
    times.push(await page.evaluate(() => /** @type {any} */ (window).painted))
  }
  return times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN
}

/** Runs inside the page: notes the time from the click until the frame with the open dialog was painted. */
function watchNextOpening() {
  const painted = new Promise((resolve) => {
    addEventListener(
      'click',
      (event) => {
        const look = () => {
          const modal = document.querySelector('[data-hw-modal]')?.shadowRoot
          if (!modal?.querySelector('dialog[open]')) return requestAnimationFrame(look)
          const channel = new MessageChannel()
          channel.port1.onmessage = () => resolve(performance.now() - event.timeStamp)
          channel.port2.postMessage(0)
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
function report(what, got, unit, budget) {
  const verdict = got > budget ? 'OVER' : 'ok'
  console.log(
    `${what.padEnd(58)} ${got.toFixed(2).padStart(8)} ${unit.padEnd(4)} budget ${budget.toFixed(2).padStart(5)}  ${verdict}`,
  )
}
