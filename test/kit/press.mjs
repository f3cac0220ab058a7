/**
 * Presses a guarded button of the wallet as a person does: the pointer comes to it, stays until the guard is armed, and moves before it is pressed.
 *
 * @param {import('playwright-core').Locator} button
 */
export async function press(button) {
  // The guard sees that the frame has moved at the next move of the pointer, and then waits again.
  for (const position of [
    { x: 6, y: 6 },
    { x: 10, y: 8 },
  ]) {
    await button.hover({ position })
    await isArmed(button)
  }
  await button.click()
}

/**
 * Resolves once a button has been enabled for some frames: what comes in late disarms it again. Playwright looks only twice a second.
 *
 * @param {import('playwright-core').Locator} button
 */
function isArmed(button) {
  return button.evaluate(
    (button) =>
      new Promise((resolve) => {
        let armed = 0
        const look = () => {
          armed = button.matches(':disabled, [aria-disabled=true]') ? 0 : armed + 1
          if (armed < 5) requestAnimationFrame(look)
          else resolve(undefined)
        }
        requestAnimationFrame(look)
      }),
  )
}
