import { announceWallet, launchBrowser } from '../../bench/page/site.mjs'

/** The wallet that announces itself on every page; its row is what a visitor waits for. */
const walletName = 'Bench Wallet'
const latencyMs = 100
/** As long as a visitor needs to move from a button's edge to pressing it. */
const hoverMs = 300
/** Longer than any of the pages loads files after `load`. */
const idleMs = 2000

/** When the button is pressed: at once, after the pointer has rested on it, or after the page has been idle. */
export const moments = /** @type {const} */ (['cold', 'hovered', 'idle'])
/** @typedef {typeof moments[number]} Moment */

export const conditions = /** @type {const} */ (['full CPU', 'quarter CPU', '100 ms latency'])
/** @typedef {typeof conditions[number]} Condition */

/**
 * Opens a page in a fresh browser profile, presses its button once, and waits until the row of the wallet can be seen.
 *
 * @param {string} url
 * @param {Moment} moment
 * @param {Condition} condition
 * @returns {Promise<number>} milliseconds from the click to the frame with the row
 */
export async function firstClick(url, moment, condition) {
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    const cdp = await page.context().newCDPSession(page)
    if (condition === 'quarter CPU') await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    if (condition === '100 ms latency')
      await cdp.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: latencyMs,
        downloadThroughput: -1,
        uploadThroughput: -1,
      })
    await page.addInitScript(announceWallet, walletName)
    await page.addInitScript(timeFirstClick, walletName)
    await page.goto(url)
    const button = page.getByRole('button', { name: /connect wallet/i })
    await button.waitFor()
    const box = await button.boundingBox()
    if (!box) throw new Error(`${url}: the button has no place on the page`)
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    if (moment === 'idle') await page.waitForTimeout(idleMs)
    await page.mouse.move(x, y)
    if (moment === 'hovered') await page.waitForTimeout(hoverMs)
    await page.mouse.down()
    await page.mouse.up()
    return await page.evaluate(() => /** @type {any} */ (window).painted)
  } finally {
    await browser.close()
  }
}

/**
 * Runs inside the page: `window.painted` becomes the time from the first click until a frame was painted in which the
 * wallet's row has a box and is not transparent.
 *
 * @param {string} name
 */
function timeFirstClick(name) {
  /** @param {Element} element */
  const isSeen = (element) => {
    if (element.getBoundingClientRect().height === 0) return false
    let opacity = 1
    for (let at = /** @type {Element | null} */ (element); at; at = at.parentElement)
      opacity *= Number(getComputedStyle(at).opacity)
    return opacity >= 0.1
  }
  // Hawser's modal is in a shadow tree.
  const trees = () => [document, document.querySelector('[data-hw-modal]')?.shadowRoot ?? document]
  const rows = () =>
    trees()
      .flatMap((tree) => [...tree.querySelectorAll('dialog button, [role=dialog] button')])
      .filter((button) => button.textContent?.includes(name))
  const painted = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('the wallet is not shown')), 60_000)
    addEventListener(
      'click',
      (event) => {
        const look = () => {
          if (!rows().some(isSeen)) return requestAnimationFrame(look)
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
