/**
 * Presses a guarded button of the wallet as a person does: the pointer comes to it, stays until the guard is armed, and moves before it is pressed.
 *
 * @param {import('playwright-core').Locator} button
 */
export async function press(button) {
  await button.hover({ position: { x: 6, y: 6 } })
  // Playwright looks twice a second whether a button is enabled.
  await button.evaluate(
    (button) =>
      new Promise((resolve) => {
        const look = () =>
          button.matches(':disabled, [aria-disabled=true]') ? requestAnimationFrame(look) : resolve(undefined)
        requestAnimationFrame(look)
      }),
  )
  await button.click()
}
