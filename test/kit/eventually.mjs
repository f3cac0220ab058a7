import { setTimeout as sleep } from 'node:timers/promises'
import { patience } from './browser.mjs'

/**
 * Repeats a check until it passes, for what takes an unknown time: a block, a balance.
 *
 * @template T
 * @param {() => T | Promise<T>} check throws while it does not pass yet
 * @param {number} [timeout] milliseconds
 * @returns {Promise<T>}
 * @throws the last error of the check
 */
export async function eventually(check, timeout = patience) {
  const deadline = Date.now() + timeout
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(50)
    }
  }
}
