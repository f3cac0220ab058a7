import assert from 'node:assert/strict'

/**
 * Returns the test id of the element that has the focus, also within the modal.
 *
 * @param {import('playwright-core').Page} page
 */
export function focusedTestId(page) {
  return page.evaluate(() => {
    let element = document.activeElement
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    return element?.getAttribute('data-testid')
  })
}

/**
 * Presses Tab until an element has the focus.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} testId
 */
export async function tabTo(page, testId) {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const focused = await focusedTestId(page)
    if (focused === testId) return
  }
  assert.fail(`the keyboard does not reach ${testId}`)
}
