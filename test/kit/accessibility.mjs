import assert from 'node:assert/strict'
import axe from 'axe-core'

/**
 * Runs axe on the current page; with an open modal, on the modal. The page follows the theme of the system:
 * every rule is checked in the dark one, and those of colours in the light one.
 *
 * @param {import('playwright-core').Page} page
 * @throws {assert.AssertionError} naming each rule and the elements that break it
 */
export async function assertAccessible(page) {
  await assertThemeAccessible(page)
  await setTheme(page, 'light')
  await check(page, ['color-contrast'])
  await setTheme(page, 'dark')
}

/**
 * Runs axe on a page of the embedded wallet, or on its frame in a site's page. Both follow the theme of the system by
 * their stylesheet: every rule is checked in the dark one, and those of colours in the light one.
 *
 * @param {import('playwright-core').Page} page
 * @param {import('playwright-core').Page | import('playwright-core').Frame} [subject] the frame; the page by default
 * @throws {assert.AssertionError} naming each rule and the elements that break it
 */
export async function assertWalletAccessible(page, subject = page) {
  await page.emulateMedia({ colorScheme: 'dark' })
  await assertThemeAccessible(subject)
  await page.emulateMedia({ colorScheme: 'light' })
  await check(subject, ['color-contrast'])
}

/**
 * Changes the theme of the system, and waits until the page and its modal have it.
 *
 * @param {import('playwright-core').Page} page
 * @param {'dark' | 'light'} theme
 */
async function setTheme(page, theme) {
  await page.emulateMedia({ colorScheme: theme })
  await page.waitForFunction((theme) => {
    const scopes = [...document.querySelectorAll('[data-hw-theme]')]
    return (
      document.documentElement.dataset.theme === theme &&
      scopes.every((scope) => scope.getAttribute('data-hw-theme') === theme)
    )
  }, theme)
}

/**
 * Runs axe on a page or a frame, in its current theme.
 *
 * @param {import('playwright-core').Page | import('playwright-core').Frame} page
 * @throws {assert.AssertionError} naming each rule and the elements that break it
 */
export async function assertThemeAccessible(page) {
  // The page is empty until its configuration arrives.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await check(page, undefined)
}

/**
 * @param {import('playwright-core').Page | import('playwright-core').Frame} page
 * @param {string[] | undefined} rules all by default
 */
async function check(page, rules) {
  await settleAnimations(page)
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axe.source)
    await page.evaluate(renderEverything)
  }
  const violations = await page.evaluate(inspect, rules)
  const report = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`,
  )
  assert.equal(report.length, 0, report.join('\n'))
  const small = await page.evaluate(findSmallFields)
  assert.deepEqual(small, [], 'Safari on a phone zooms the page when one of these gets the focus')
}

/** Runs inside the page: rows outside of the viewport are rendered too, or they keep the colours of the theme before. */
function renderEverything() {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { content-visibility: visible !important }')
  document.adoptedStyleSheets.push(sheet)
  document.querySelector('[data-hw-modal]')?.shadowRoot?.adoptedStyleSheets.push(sheet)
}

/**
 * Runs inside the page.
 *
 * @param {string[] | undefined} rules
 */
async function inspect(rules) {
  const subject =
    document.querySelector('[data-hw-modal]')?.shadowRoot?.querySelector('dialog[open]') ?? document
  const { violations } = await /** @type {any} */ (window).axe.run(subject, {
    resultTypes: ['violations'],
    ...(rules && { runOnly: rules }),
  })
  return /** @type {import('axe-core').Result[]} */ (violations)
}

/** Runs inside the page: the fields with text below 16 px. */
function findSmallFields() {
  const subject =
    document.querySelector('[data-hw-modal]')?.shadowRoot?.querySelector('dialog[open]') ?? document
  return [
    ...subject.querySelectorAll(
      'input:not([type=checkbox], [type=radio], [type=color], [type=file]), select, textarea',
    ),
  ]
    .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
    .map(({ outerHTML }) => outerHTML)
}

/**
 * Waits for animations that end, because colours in the middle of a fade are not part of the design.
 *
 * @param {import('playwright-core').Page | import('playwright-core').Frame} page
 */
async function settleAnimations(page) {
  await page.evaluate(async () => {
    const modal = document.querySelector('[data-hw-modal]')?.shadowRoot
    const finite = [document, modal]
      .flatMap((root) => root?.getAnimations() ?? [])
      .filter((animation) => animation.effect?.getTiming().iterations !== Infinity)
    await Promise.allSettled(finite.map((animation) => animation.finished))
  })
}
