/**
 * Presses a guarded button of the wallet as a person does: the pointer comes to it, stays until the guard is armed, and moves before it is pressed.
 *
 * @param {import('playwright-core').Locator} button
 */
export async function press(button) {
  await button.hover({ position: { x: 6, y: 6 } })
  await button.click()
}
