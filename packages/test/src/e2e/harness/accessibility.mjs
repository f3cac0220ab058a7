import assert from 'node:assert/strict'
import axe from 'axe-core'

/**
 * Lets axe look at what is on the page now; with an open modal, at the modal.
 *
 * @param {import('playwright-core').Page} page
 * @throws {assert.AssertionError} naming each rule and the elements that break it
 */
export async function assertAccessible(page) {
  // Before its configuration arrives the page is empty.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await settleAnimations(page)
  await page.evaluate(axe.source)
  const violations = await page.evaluate(inspect)
  const report = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`,
  )
  assert.equal(report.length, 0, report.join('\n'))
}

/** Runs inside the page. */
async function inspect() {
  const subject = document.querySelector('dialog[open]') ?? document
  const { violations } = await /** @type {any} */ (window).axe.run(subject)
  return /** @type {import('axe-core').Result[]} */ (violations)
}

/**
 * Colours in the middle of a fade are nobody's design: waits for what has an end.
 *
 * @param {import('playwright-core').Page} page
 */
async function settleAnimations(page) {
  await page.evaluate(async () => {
    const finite = document
      .getAnimations()
      .filter((animation) => animation.effect?.getTiming().iterations !== Infinity)
    await Promise.allSettled(finite.map((animation) => animation.finished))
  })
}
