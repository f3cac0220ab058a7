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
