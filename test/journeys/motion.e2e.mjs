import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { journey, moving } from '../kit/journey.mjs'

const movingPhone = {
  browser: { ...moving.browser, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
}

/**
 * Records the card at each frame from now on.
 *
 * @param {import('playwright-core').Page} page
 */
async function record(page) {
  await page.evaluate(() => {
    const frames = /** @type {{ top: number, bottom: number, height: number, scrolled: number }[]} */ ([])
    const look = () => {
      const dialog = document.querySelector('[data-hw-modal]')?.shadowRoot?.querySelector('.hw-dialog')
      const card = dialog?.querySelector('.hw-card')
      if (dialog && card) {
        const { top, bottom, height } = card.getBoundingClientRect()
        frames.push({ top, bottom, height, scrolled: dialog.scrollTop })
      }
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    Object.assign(window, { frames })
  })
  /** Returns the frames since the last call, once the card stands still. */
  return () =>
    page.evaluate(async () => {
      const { frames } =
        /** @type {{ frames: { top: number, bottom: number, height: number, scrolled: number }[] }} */ (
          /** @type {unknown} */ (window)
        )
      const isStill = () => {
        const last = frames.slice(-20).map((frame) => JSON.stringify(frame))
        return last.length === 20 && new Set(last).size === 1
      }
      while (!isStill()) await new Promise(requestAnimationFrame)
      return frames.splice(0)
    })
}

describe('the motion of the modal', () => {
  journey(
    'slides a sheet in from the bottom of a phone, frame by frame',
    movingPhone,
    async ({ page, modal }) => {
      const recorded = await record(page)
      await modal.connectButton.click()
      await modal.shows('Connect')
      const frames = await recorded()
      assert.deepEqual(
        [...new Set(frames.map(({ scrolled }) => scrolled))],
        [0],
        'the dialog is not scrolled',
      )
      const first = frames[0]
      assert.ok(first && first.top > 844 / 2, `it begins at ${first?.top}`)
      for (const [at, { top }] of frames.entries()) {
        const before = frames[at - 1]?.top ?? top
        assert.ok(top <= before + 1, `frame ${at}: from ${before} back to ${top}`)
      }
    },
  )

  for (const [where, options] of /** @type {const} */ ([
    ['desktop', moving],
    ['phone', movingPhone],
  ]))
    journey(`leaves the account without a jump on a ${where}`, options, async ({ page, modal, wallet }) => {
      await modal.connect(wallet)
      await modal.openAccount()
      await modal.find('token-tUSD').waitFor()
      const recorded = await record(page)
      const account = (await recorded()).at(-1)
      assert.ok(account)
      for (const button of ['wallet-features-receive-button', 'wallet-features-send-button']) {
        await modal.press(button)
        await modal.find('header-back').click()
        const frames = await recorded()
        const tallest = Math.max(...frames.map(({ height }) => height))
        assert.ok(tallest <= account.height + 1, `${button}: it grows from ${account.height} to ${tallest}`)
      }
    })

  const slow = { browser: { ...moving.browser, serviceWorkers: /** @type {const} */ ('block') } }
  journey(
    'shows nothing of the last visit while the account is loading',
    slow,
    async ({ page, modal, wallet }) => {
      // Without prefetching, as on a phone that saves data.
      await page.addInitScript(() =>
        Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
      )
      await page.reload()
      await modal.connectButton.click()
      await modal.shows('Connect')
      /** @type {(() => void)[]} */
      const held = []
      await page.route(/\.js$/, async (route) => {
        await new Promise((resolve) => held.push(() => resolve(undefined)))
        await route.continue()
      })
      await modal.press(`wallet-selector-${wallet.info.rdns}`)
      const release = setInterval(() => held.splice(0, 1)[0]?.(), 300)
      try {
        await modal.accountButton.waitFor()
        await modal.isClosed()
        await page.evaluate(() => {
          const texts = /** @type {string[]} */ ([])
          const look = () => {
            texts.push(
              document.querySelector('[data-hw-modal]')?.shadowRoot?.querySelector('dialog[open]')
                ?.textContent ?? '',
            )
            requestAnimationFrame(look)
          }
          requestAnimationFrame(look)
          Object.assign(window, { texts })
        })
        await modal.accountButton.click()
        await modal.shows('Account')
      } finally {
        clearInterval(release)
        for (const go of held) go()
      }
      const texts = await page.evaluate(
        () => /** @type {{ texts: string[] }} */ (/** @type {unknown} */ (window)).texts,
      )
      const wrong = texts.find((text) => /failed|no longer|Continue in/i.test(text))
      assert.equal(wrong, undefined)
    },
  )

  journey('shows on the button that the modal is loading', moving, async ({ page, modal }) => {
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
    )
    await page.reload()
    await modal.connectButton.waitFor()
    /** @type {(() => void)[]} */
    const held = []
    await page.route(/\.js$/, async (route) => {
      await new Promise((resolve) => held.push(() => resolve(undefined)))
      await route.continue()
    })
    const isAnimated = () =>
      modal.connectButton.evaluate((button) =>
        button.getAnimations().some((animation) => 'animationName' in animation),
      )
    assert.equal(await isAnimated(), false)
    await modal.connectButton.dispatchEvent('click')
    assert.equal(await isAnimated(), true)
    const release = setInterval(() => {
      for (const go of held.splice(0)) go()
    }, 100)
    await modal.shows('Connect').finally(() => clearInterval(release))
    assert.equal(await isAnimated(), false)
  })

  journey('stays open when its button is pressed twice', moving, async ({ page, modal }) => {
    await modal.connectButton.dblclick()
    await modal.shows('Connect')
    await page.waitForTimeout(500)
    await modal.shows('Connect')
  })
})
