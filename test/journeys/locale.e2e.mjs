import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { assertAccessible } from '../kit/accessibility.mjs'
import { eventually } from '../kit/eventually.mjs'
import { focusedTestId } from '../kit/focus.mjs'
import { journey, mainJourney } from '../kit/journey.mjs'
import { languageTags } from '../kit/languages.mjs'

const phone = { viewport: { width: 360, height: 740 } }

/** The views of the account's actions. */
const features = { send: 'WalletSend', swaps: 'Swap', onramp: 'OnRampProviders', receive: 'WalletReceive' }

describe('the modal in Arabic', () => {
  mainJourney('runs from right to left', { query: '?lang=ar' }, async ({ page, modal }) => {
    await modal.connectButton.click()
    await modal.shows('Connect')
    await modal.title.getByText('ربط المحفظة').waitFor()
    const dialog = page.locator('dialog[open]')
    assert.equal(await dialog.evaluate((element) => getComputedStyle(element).direction), 'rtl')
    assert.equal(await dialog.evaluate((element) => element.closest('[lang]')?.getAttribute('lang')), 'ar')
    await assertAccessible(page)

    await modal.press('w3m-header-help')
    await modal.shows('WhatIsAWallet')
    const back = modal.find('header-back')
    const close = modal.find('w3m-header-close')
    const [start, end] = [await back.boundingBox(), await close.boundingBox()]
    assert.ok(start && end && start.x > end.x, 'back is on the right, close on the left')
    const mirrored = await back
      .locator('svg')
      .evaluate(
        (icon) =>
          new DOMMatrix(getComputedStyle(icon).transform).a *
          Number(getComputedStyle(icon).scale.split(' ')[0]?.replace('none', '1')),
      )
    assert.equal(mirrored, -1, 'the arrow points to the right')
    await assertAccessible(page)
  })

  journey(
    'moves the focus from the back button to the close button',
    { query: '?lang=ar' },
    async ({ page, modal }) => {
      await modal.connectButton.click()
      await modal.shows('Connect')
      await modal.press('w3m-header-help')
      await modal.shows('WhatIsAWallet')
      await eventually(async () => assert.equal(await focusedTestId(page), 'w3m-header-text'))
      await page.keyboard.press('Shift+Tab')
      assert.equal(await focusedTestId(page), 'header-back')
      await page.keyboard.press('Tab')
      assert.equal(await focusedTestId(page), 'w3m-header-close')
      await page.keyboard.press('Shift+Tab')
      await page.keyboard.press('Enter')
      await modal.shows('Connect')
    },
  )

  journey(
    'keeps addresses and amounts from left to right',
    { query: '?lang=ar' },
    async ({ page, modal, wallet }) => {
      await modal.connect(wallet)
      await modal.openAccount()
      await modal.find('token-tUSD').waitFor()
      const directions = await page
        .locator('dialog[open] .hw-amount')
        .evaluateAll((amounts) => amounts.map((amount) => getComputedStyle(amount).direction))
      assert.ok(directions.length > 0)
      assert.deepEqual([...new Set(directions)], ['ltr'])
      await assertAccessible(page)
    },
  )
})

describe('the language', () => {
  journey('changes while the modal is open', { query: '?lang=ar' }, async ({ page, modal, wallet }) => {
    await modal.connect(wallet)
    await modal.openAccount()
    await modal.find('tab-activity').getByText('النشاط').waitFor()
    await page.getByTestId('language-select').evaluate((select) => {
      if (!(select instanceof HTMLSelectElement)) return
      select.value = 'de'
      select.dispatchEvent(new Event('change', { bubbles: true }))
    })
    await modal.find('tab-activity').getByText('Aktivität').waitFor()
    const dialog = page.locator('dialog[open]')
    assert.equal(await dialog.evaluate((element) => getComputedStyle(element).direction), 'ltr')
    await modal.press('account-settings-address')
    await modal.says('Adresse kopiert')
    await assertAccessible(page)
  })

  journey(
    'is the visitor’s own when the site says `auto`',
    { query: '?lang=auto', browser: { locale: 'de-AT' } },
    async ({ modal }) => {
      await modal.connectButton.click()
      await modal.shows('Connect')
      await modal.title.getByText('Wallet verbinden').waitFor()
      await modal.connectButton.getByText('Wallet verbinden').waitFor()
    },
  )

  journey('of a site in English loads nothing', {}, async ({ page, modal }) => {
    await modal.connectButton.click()
    await modal.shows('Connect')
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => /locale|\/(?:ar|de|texts)-/.test(name)),
    )
    assert.deepEqual(scripts, [])
  })
})

for (const lang of languageTags) {
  describe(`in ${lang}, on a narrow phone`, () => {
    journey(
      'every text fits its place',
      { query: `?lang=${lang}`, browser: phone },
      async ({ page, modal, wallet }) => {
        /** @param {string} view */
        const fits = async (view) => {
          await modal.shows(view)
          await assertFits(page)
        }
        await modal.connectButton.click()
        await fits('Connect')
        await modal.press('w3m-header-help')
        await fits('WhatIsAWallet')
        await modal.press('header-back')
        await modal.press(`wallet-selector-${wallet.info.rdns}`)
        await modal.isClosed()
        await modal.openAccount()
        await modal.find('token-tUSD').waitFor()
        await assertFits(page)
        for (const [feature, view] of Object.entries(features)) {
          await modal.press(`wallet-features-${feature}-button`)
          await fits(view)
          await modal.press('header-back')
          await modal.shows('Account')
        }
        await modal.press('account-settings-button')
        await fits('Profile')
      },
    )
  })
}

/**
 * Asserts that nothing in the modal is wider than its place: no button, title or tab cuts its text off.
 *
 * @param {import('playwright-core').Page} page
 */
async function assertFits(page) {
  const cut = await page.evaluate(() => {
    const dialog = document.querySelector('[data-hw-modal]')?.shadowRoot?.querySelector('dialog[open]')
    const places = [
      ...(dialog?.querySelectorAll(
        '.hw-button, .hw-header-title, .hw-tab, .hw-heading, .hw-button-label, .hw-action, .hw-token-choice, .hw-view',
      ) ?? []),
    ]
    return places
      .filter((place) => place.scrollWidth > place.clientWidth + 1 && place.clientWidth > 0)
      .map((place) => `${place.className}: ${place.textContent}`)
  })
  assert.deepEqual(cut, [])
}
