// The buttons and the modal look the same on sites with other styles.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import { announceWallet, launchBrowser, serveSite } from '../bench/page/site.mjs'

/** @param {string} url */
const read = (url) => readFile(new URL(url), 'utf8')

const preflight = await read(import.meta.resolve('tailwindcss/preflight.css'))
/** What Tailwind 3 adds to the rules about buttons. */
const buttonsOfTailwind3 =
  "button,[type='button'],[type='reset'],[type='submit']{-webkit-appearance:button;background-color:transparent;background-image:none}"

/** Styles of a site, by name; before and after those of Hawser. */
const styles = {
  'a reset of margins': '*{margin:0;padding:0;box-sizing:border-box}',
  'Tailwind 3': `${preflight}${buttonsOfTailwind3}`,
  'Tailwind 4': `@layer base{${preflight}}`,
  Bootstrap: await read(import.meta.resolve('bootstrap/dist/css/bootstrap.css')),
  normalize: await read(import.meta.resolve('normalize.css/normalize.css')),
  'all: unset': '*{all:unset}head,style,script{display:none}',
  'rules about elements':
    'button{text-transform:uppercase;letter-spacing:.2em;width:100%;border:3px solid red;padding:2em;box-shadow:0 0 9px red;color:red}span,p,h1,h2,li{font-size:30px;color:red;margin:1em}img,svg{width:100%;height:auto;display:inline}input{border:1px solid red}dialog{border:5px solid red;padding:3em}',
  'inherited properties':
    'body{letter-spacing:.3em;word-spacing:1em;text-transform:uppercase;font-style:italic;line-height:3;text-indent:2em;text-align:right;cursor:wait;visibility:visible}',
  'a page that an open dialog has blocked': 'body{pointer-events:none}',
}

const site = await serveSite()
const browser = await launchBrowser()
after(async () => {
  await browser.close()
  await site.close()
})

/**
 * Opens the page in a frame of another origin, as previews and stores of apps do.
 *
 * @param {import('playwright-core').Page} page
 */
async function openInFrame(page) {
  const host = new URL('hawser.html', site.origin)
  host.hostname = 'localhost'
  await page.goto(host.href)
  await page.setContent(
    `<style>body{margin:0}iframe{border:0;width:100vw;height:100vh;display:block}</style><iframe src="${site.origin}hawser.html"></iframe>`,
  )
  const frame = page.frames().find((each) => each.url().startsWith(site.origin))
  assert.ok(frame)
  return frame
}

/**
 * Opens the page with styles of a site, and takes pictures.
 *
 * @param {{ css?: string, isFirst?: boolean, isFramed?: boolean }} [options]
 */
async function photograph({ css = '', isFirst = false, isFramed = false } = {}) {
  const context = await browser.newContext({ reducedMotion: 'reduce', colorScheme: 'dark' })
  const page = await context.newPage()
  await page.route(/\.invalid\//, () => {})
  await page.addInitScript(announceWallet, 'Page Wallet')
  if (!isFramed) await page.goto(`${site.origin}hawser.html`)
  const view = isFramed ? await openInFrame(page) : page
  await view.evaluate(
    ({ css, isFirst }) => {
      const style = document.createElement('style')
      style.textContent = css
      // The place of the button is the site's; between two pixels its letters are drawn otherwise.
      document.getElementById('root')?.setAttribute('style', 'position:fixed!important;top:20px;left:20px')
      if (isFirst) document.head.prepend(style)
      else document.head.append(style)
    },
    { css, isFirst },
  )
  const button = view.getByTestId('connect-button')
  const buttonShot = await button.screenshot()
  await button.dispatchEvent('click')
  await view.getByText('Page Wallet').waitFor()
  await view.getByTestId('w3m-modal-card').hover({ trial: true })
  await page.mouse.move(5, 5)
  const modalShot = await view.getByTestId('w3m-modal-card').screenshot()
  await view.getByTestId('w3m-header-close').click()
  await view.getByTestId('w3m-modal-overlay').waitFor({ state: 'detached' })
  await context.close()
  return { button: buttonShot, modal: modalShot }
}

/**
 * Returns the share of pixels that differ, between 0 and 1; 1 for pictures of different sizes.
 *
 * @param {Buffer} a
 * @param {Buffer} b
 */
async function difference(a, b) {
  const page = await browser.newPage()
  try {
    return await page.evaluate(
      async (pictures) => {
        const [first, second] = await Promise.all(
          pictures.map(async (picture) => {
            const bitmap = await createImageBitmap(
              await (await fetch(`data:image/png;base64,${picture}`)).blob(),
            )
            const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
            const drawing = canvas.getContext('2d')
            drawing?.drawImage(bitmap, 0, 0)
            return drawing?.getImageData(0, 0, bitmap.width, bitmap.height)
          }),
        )
        if (!first || !second || first.width !== second.width || first.height !== second.height) return 1
        let different = 0
        for (let at = 0; at < first.data.length; at += 4) {
          const distance = [0, 1, 2].map((part) =>
            Math.abs((first.data[at + part] ?? 0) - (second.data[at + part] ?? 0)),
          )
          if (Math.max(...distance) > 24) different += 1
        }
        return different / (first.width * first.height)
      },
      [a.toString('base64'), b.toString('base64')],
    )
  } finally {
    await page.close()
  }
}

/** Corners show the page behind: of a card a thousandth, of a button some hundredths. */
const most = { modal: 0.004, button: 0.04 }

describe('on a site with other styles, the button and the modal look as without', async () => {
  const plain = await photograph()
  for (const [name, css] of Object.entries(styles))
    for (const isFirst of [true, false])
      test(`${name}, ${isFirst ? 'before' : 'after'} those of Hawser`, async () => {
        await assertLooksAs(plain, await photograph({ css, isFirst }))
      })
  test('in a frame of another origin', async () => {
    await assertLooksAs(plain, await photograph({ isFramed: true }))
  })
})

/**
 * @param {Record<'button' | 'modal', Buffer>} expected
 * @param {Record<'button' | 'modal', Buffer>} shot
 */
async function assertLooksAs(expected, shot) {
  for (const what of /** @type {const} */ (['modal', 'button'])) {
    const share = await difference(expected[what], shot[what])
    assert.ok(share <= most[what], `${(100 * share).toFixed(2)} percent of the ${what} differ`)
  }
}
