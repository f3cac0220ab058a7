import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { devnet, freshAddress } from '../kit/chain.mjs'
import { eventually } from '../kit/eventually.mjs'
import { focusedTestId } from '../kit/focus.mjs'
import { journey, mainJourney, moving } from '../kit/journey.mjs'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

describe('the modal', () => {
  journey('is a centred dialog on a wide screen', moving, async ({ modal }) => {
    await modal.connectButton.click()
    await modal.shows('Connect')
    await eventually(async () => {
      const box = await modal.card.boundingBox()
      assert.ok(box)
      assert.ok(Math.abs(box.x + box.width / 2 - 640) <= 1, `its centre is at ${box.x + box.width / 2}`)
      assert.ok(box.width <= 400, `it is ${box.width} px wide`)
    })
  })

  mainJourney('leaves the page where it is', {}, async ({ page, modal }) => {
    const { clientWidth, scrollWidth } = await page.evaluate(() => {
      const { clientWidth, scrollWidth } = document.documentElement
      return { clientWidth, scrollWidth }
    })
    assert.equal(scrollWidth, clientWidth, 'nothing is beside the page')
    const heading = page.locator('h1')
    const place = await heading.boundingBox()
    await modal.connectButton.click()
    await modal.shows('Connect')
    assert.deepEqual(await heading.boundingBox(), place)
  })

  mainJourney(
    'fits every token and name into a phone',
    { browser: phone },
    async ({ page, modal, wallet }) => {
      await modal.connect(wallet)
      await modal.openAccount()
      await modal.find('token-ANUNREASONABLYLONGTOKENSYMBOL').waitFor()
      const overflow = await page.evaluate(() => {
        const dialog = document.querySelector('[data-hw-modal]')?.shadowRoot?.querySelector('dialog[open]')
        return dialog ? dialog.scrollWidth - dialog.clientWidth : undefined
      })
      assert.equal(overflow, 0)
    },
  )

  const withRouter = { browser: phone, query: '?first' }
  journey(
    'is closed on a phone by the way back, of which a router of the site hears nothing',
    withRouter,
    async ({ page, modal, context }) => {
      // As a router moves between routes.
      await page.evaluate(() => {
        history.replaceState({ idx: 0 }, '')
        history.pushState({ idx: 1 }, '', '?second')
        const heard = Object.assign(window, { heard: /** @type {unknown[]} */ ([]) }).heard
        addEventListener('popstate', ({ state }) => heard.push(state), { capture: true })
      })
      const heard = () => page.evaluate(() => Object(window).heard)
      const devtools = await context.newCDPSession(page)
      const goBack = async () => {
        const { currentIndex, entries } = await devtools.send('Page.getNavigationHistory')
        await devtools.send('Page.navigateToHistoryEntry', { entryId: entries[currentIndex - 1]?.id ?? 0 })
      }
      await modal.connectButton.click()
      await modal.shows('Connect')
      await goBack()
      await modal.isClosed()
      assert.equal(new URL(page.url()).search, '?second')
      assert.deepEqual(await heard(), [])
      assert.deepEqual(await page.evaluate(() => history.state), { idx: 1 })
      await goBack()
      await eventually(async () => assert.deepEqual(await heard(), [{ idx: 0 }]))
      assert.equal(new URL(page.url()).search, '?first')
    },
  )

  for (const viewport of [
    { width: 320, height: 640 },
    { width: 740, height: 360 },
  ]) {
    journey(
      `leaves a page of ${viewport.width} px as wide as it is`,
      { browser: { viewport } },
      async ({ page, modal, wallet }) => {
        const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.ok((await overflow()) <= 0, 'before a wallet is connected')
        await modal.connect(wallet)
        await modal.accountButton.getByText('0xf39F…2266').waitFor()
        assert.ok((await overflow()) <= 0, `${await overflow()} px too wide`)
      },
    )
  }

  journey('keeps its place when another tab is chosen', moving, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.find('token-tUSD').waitFor()
    const place = () => modal.card.boundingBox()
    // Two looks within one frame are equal even while the card is zoomed in.
    const before = await eventually(async () => {
      const first = await place()
      await sleep(300)
      assert.deepEqual(await place(), first)
      return first
    })
    await modal.press('tab-nfts')
    await modal.find('nft-MOOR-1').waitFor()
    assert.deepEqual(await place(), before)
    await modal.press('tab-activity')
    await modal.find('activity').waitFor()
    assert.deepEqual(await place(), before)
  })

  journey('keeps its place while the send form answers', { browser: phone }, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.press('wallet-features-send-button')
    await modal.chooseToken('tUSD')
    await modal.find('send-amount-input').fill('1')
    await modal.sendButtonSays('Enter address')
    const place = await modal.card.boundingBox()
    await modal.find('send-address-input').fill('0x1234')
    await modal.sendButtonSays('Invalid address')
    await modal.find('send-address-outcome').getByText('Enter a valid address').waitFor()
    assert.deepEqual(await modal.card.boundingBox(), place)
  })

  journey('keeps its place while the name form answers', { browser: phone }, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openNames()
    const place = await modal.card.boundingBox()
    await modal.find('wui-ens-input').fill('e2e-placed')
    await modal.find('name-hint').getByText('This name is available').waitFor()
    await modal.find('account-name-suggestion').waitFor()
    assert.deepEqual(await modal.card.boundingBox(), place)
  })

  journey(
    'cuts no amount of a token off on a narrow phone',
    { query: '?lang=de', browser: { viewport: { width: 320, height: 568 } } },
    async ({ page, modal, wallet }) => {
      await modal.connect(wallet)
      await modal.openAccount()
      const amounts = page.locator('.hw-row-subtitle:has(> .hw-amount)')
      await modal.find('token-tUSD').waitFor()
      const cut = await amounts.evaluateAll((all) =>
        all.filter((amount) => amount.scrollWidth > amount.clientWidth).map(({ textContent }) => textContent),
      )
      assert.deepEqual(cut, [])
    },
  )

  journey(
    'cuts no control off on a phone at 200 % zoom',
    { browser: { viewport: { width: 195, height: 422 } } },
    async ({ page, modal, wallet }) => {
      const assertWhole = async (/** @type {string} */ view) =>
        assert.deepEqual(await page.evaluate(controlsCutOff), [], view)
      await modal.connect(wallet)
      await modal.openAccount()
      await modal.find('token-tUSD').waitFor()
      await assertWhole('Account')
      await modal.press('wallet-features-send-button')
      await modal.chooseToken('tUSD')
      await assertWhole('WalletSend')
      await modal.press('header-back')
      await modal.press('wallet-features-onramp-button')
      await modal.find('onramp-preset-1000').waitFor()
      await assertWhole('OnRampProviders')
    },
  )

  journey('sends from a phone by touch', { account: 2, browser: phone }, async ({ modal, wallet }) => {
    const to = freshAddress()
    await modal.connect(wallet)
    await modal.prepareSend({ symbol: 'ETH', amount: '0.25', to })
    await modal.find('send-confirm-button').tap()
    await modal.isSent()
    await eventually(async () => assert.equal(await devnet.balance(to), 250_000_000_000_000_000n))
  })

  journey('is mirrored in right-to-left pages', { query: '?dir=rtl' }, async ({ modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    const close = await modal.find('w3m-header-close').boundingBox()
    const card = await modal.card.boundingBox()
    assert.ok(
      close && card && close.x < card.x + card.width / 2,
      'the close button is at the end, on the left',
    )
  })

  for (const [theme, isRight] of /** @type {[string, (channel: number) => boolean][]} */ ([
    ['dark', (channel) => channel < 64],
    ['light', (channel) => channel > 240],
  ])) {
    const visitor = { query: `?theme=${theme}`, browser: phone }
    mainJourney(
      `is a ${theme} sheet at the bottom of a phone when the site says so`,
      visitor,
      async (scene) => {
        const { page, modal } = scene
        await modal.connectButton.click()
        await modal.shows('Connect')
        await eventually(async () => {
          const box = await modal.card.boundingBox()
          assert.ok(box)
          assert.ok(Math.abs(box.y + box.height - 844) <= 1, `its lower edge is at ${box.y + box.height}`)
          assert.equal(box.width, (await modal.overlay.boundingBox())?.width)
        })
        const colour = await modal.card.evaluate((card) => getComputedStyle(card).backgroundColor)
        const channels =
          colour
            .match(/[\d.]+/g)
            ?.slice(0, 3)
            .map(Number) ?? []
        assert.equal(channels.length, 3, colour)
        assert.ok(channels.every(isRight), colour)
        await page.keyboard.press('Escape')
        await modal.isClosed()
      },
    )
  }

  journey(
    'does not animate with reduced motion',
    { browser: { reducedMotion: 'reduce' } },
    async ({ page, modal }) => {
      await modal.connectButton.click()
      await modal.shows('Connect')
      await modal.press('w3m-header-help')
      await modal.shows('WhatIsAWallet')
      const moving = await page.evaluate(countVisibleMovements)
      assert.equal(moving, 0)

      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await page.locator('[data-hw-theme=light]').first().waitFor()
      const transitions = await page.evaluate(
        () => document.getAnimations().filter((animation) => animation instanceof CSSTransition).length,
      )
      assert.equal(transitions, 0)
    },
  )

  journey(
    'shows edges, the focus, choices and a code that cameras read in a contrast theme',
    { browser: { forcedColors: 'active' } },
    async ({ page, modal, wallet }) => {
      await modal.connectButton.click()
      await modal.shows('Connect')
      assert.equal(await outlineOf(modal.card), 1)
      const email = modal.card.locator('.hw-field-box').first()
      assert.equal(await outlineOf(email), 1)
      await email.getByRole('textbox').focus()
      assert.equal(await outlineOf(email), 3)
      await page.keyboard.press('Escape')
      await modal.isClosed()

      await modal.connect(wallet)
      await modal.openAccount()
      const [selected, other] = await modal.card.getByRole('tab').evaluateAll((tabs) => {
        const colours = tabs.map((tab) => getComputedStyle(tab, '::after').backgroundColor)
        return [colours[0], colours[1]]
      })
      assert.notEqual(selected, other)
      await modal.press('wallet-features-receive-button')
      await modal.shows('WalletReceive')
      const code = modal.card.locator('.hw-qr')
      await code.waitFor()
      const [ground, ink] = await code.evaluate((element) => {
        const { backgroundColor, color } = getComputedStyle(element)
        return [backgroundColor, color].map((text) => Number(/\d+/.exec(text)?.[0]))
      })
      assert.ok(Number(ground) - Number(ink) > 200, `${ground} below ${ink}`)
    },
  )

  mainJourney(
    'closes by Escape, by its button and by a press beside it, and returns the focus',
    moving,
    async ({ page, modal }) => {
      for (const close of [
        () => page.keyboard.press('Escape'),
        () => modal.press('w3m-header-close'),
        () => page.mouse.click(5, 5),
      ]) {
        await modal.connectButton.click()
        await modal.shows('Connect')
        await close()
        await modal.isClosed()
        const focused = await focusedTestId(page)
        assert.equal(focused, 'connect-button')
      }
    },
  )

  journey('keeps the focus inside while it is open', moving, async ({ page, modal }) => {
    await modal.connectButton.click()
    await modal.shows('Connect')
    for (let presses = 0; presses < 15; presses++) {
      await page.keyboard.press('Tab')
      const outside = await page.evaluate(
        () => document.activeElement !== document.body && !document.activeElement?.shadowRoot,
      )
      assert.equal(outside, false)
    }
  })
})

/**
 * Runs inside the page. Counts movements; one that ends within one frame is not visible.
 *
 * @returns {number}
 */
function countVisibleMovements() {
  return document.getAnimations().filter(({ effect }) => {
    if (!(effect instanceof KeyframeEffect)) return false
    const moves = effect.getKeyframes().some((frame) => 'transform' in frame || 'translate' in frame)
    return moves && Number(effect.getComputedTiming().activeDuration) > 16
  }).length
}

/**
 * Runs inside the page. Returns the controls that are not wholly inside the card, from side to side.
 *
 * @returns {string[]}
 */
function controlsCutOff() {
  const card = document.querySelector('[data-hw-modal]')?.shadowRoot?.querySelector('.hw-card')
  if (!card) return ['no card']
  const { left, right } = card.getBoundingClientRect()
  return [...card.querySelectorAll('button, input, select, textarea, a')]
    .map((control) => ({ control, place: control.getBoundingClientRect() }))
    .filter(({ place }) => place.width > 1 && (place.left < left - 1 || place.right > right + 1))
    .map(({ control }) => control.outerHTML.slice(0, 120))
}

/**
 * Returns the width of an element's outline in CSS pixels; 0 without one.
 *
 * @param {import('playwright-core').Locator} element
 */
function outlineOf(element) {
  return element.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth)
  })
}
