/** Shortest interval between two polls of a page for balances or history, in milliseconds. */
const POLL_MS = 10_000

/**
 * Loads a page again so that it polls nothing: its timers that are as long as a poll never end. What the page
 * shows of a later block was pushed.
 *
 * @param {Pick<import('./journey.mjs').Scene, 'context' | 'page'>} scene
 */
export async function stopPolling({ context, page }) {
  await context.addInitScript((shortest) => {
    const start = window.setTimeout.bind(window)
    const limited = (/** @type {TimerHandler} */ task, ms = 0, /** @type {unknown[]} */ ...values) =>
      ms < shortest ? start(task, ms, ...values) : 0
    Object.assign(window, { setTimeout: limited })
  }, POLL_MS)
  await page.reload()
}
