// Takes the pictures of the documentation: `make screenshots`. They are of the demo page on the local chains, dark and light.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launchChromium } from '../kit/chromium.mjs'
import { startOwnStack } from '../kit/ownStack.mjs'

const folder = fileURLToPath(new URL('../../apps/docs/public/images/', import.meta.url))
const receiver = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

/** Quality of WebP, from 0 to 1: text stays sharp. */
const quality = 0.86

// Chromium takes the fonts of the page from it.
process.env.FONTCONFIG_FILE = fileURLToPath(new URL('screenshots.fonts.conf', import.meta.url))
if (spawnSync('fc-list', ['-q', 'Inter']).status !== 0)
  throw new Error('The font Inter is not installed: run tools/setup.sh screenshots')
const stack = await startOwnStack()
process.env.HAWSER_E2E_URL = stack.demoUrl
const { Modal } = await import('../kit/modal.mjs')
const browser = await launchChromium()
try {
  mkdirSync(folder, { recursive: true })
  for (const theme of /** @type {const} */ (['dark', 'light'])) {
    await takeAll(theme)
    await takePhone(theme)
  }
} finally {
  await browser.close()
  await stack.stop()
}

/** @param {'dark' | 'light'} theme */
async function takeAll(theme) {
  const context = await browser.newContext({
    viewport: { width: 760, height: 790 },
    deviceScaleFactor: 1.5,
    colorScheme: theme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const modal = new Modal(page)
  await page.goto(stack.demoUrl)
  // The page behind the modal shows no other modal.
  await page.addStyleTag({ content: '.phone-picture { display: none }' })
  await modal.connectButton.click()
  await modal.find('wallet-selector-dev-wallet').waitFor()
  await take('connect')
  await modal.press('wallet-selector-dev-wallet')
  await modal.isClosed()

  await modal.openAccount()
  await modal.card.getByText('tUSD', { exact: true }).first().waitFor()
  await take('account')
  await page.keyboard.press('Escape')

  await modal.prepareSwap({ sell: 'ETH', buy: 'tUSD', amount: '1.5' })
  await take('swap')
  await page.keyboard.press('Escape')
  await modal.isClosed()

  await modal.prepareSend({ symbol: 'tUSD', amount: '250', to: receiver })
  await take('send')
  await context.close()

  /** @param {string} name */
  async function take(name) {
    // Placeholders have the shape of the content.
    await page.locator('dialog[open] .hw-skeleton').first().waitFor({ state: 'detached' })
    await write(page, `${name}-${theme}`, await page.screenshot())
  }
}

/**
 * Takes the picture of the front page on a phone: the sheet of the account.
 *
 * @param {'dark' | 'light'} theme
 */
async function takePhone(theme) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    colorScheme: theme,
    reducedMotion: 'reduce',
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  const modal = new Modal(page)
  await page.goto(stack.demoUrl)
  await modal.press('try-test-account')
  await modal.card.getByText('tUSD', { exact: true }).first().waitFor()
  await write(page, `phone-${theme}`, await modal.card.screenshot())
  await context.close()
}

/**
 * Writes a screenshot as WebP.
 *
 * @param {import('playwright-core').Page} page any page
 * @param {string} name
 * @param {Buffer} png
 */
async function write(page, name, png) {
  const webp = await page.evaluate(toWebp, { png: png.toString('base64'), quality })
  writeFileSync(`${folder}${name}.webp`, Buffer.from(webp, 'base64'))
  console.log(`${name}.webp`)
}

/**
 * Runs inside the page, which can encode what Node cannot.
 *
 * @param {{ png: string, quality: number }} picture in base 64
 * @returns {Promise<string>} in base 64
 */
async function toWebp({ png, quality }) {
  const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (byte) => byte.charCodeAt(0))]))
  const canvas = document.createElement('canvas')
  canvas.width = bitmap.width
  canvas.height = bitmap.height
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  return canvas.toDataURL('image/webp', quality).split(',')[1] ?? ''
}
