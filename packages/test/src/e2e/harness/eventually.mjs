import { setTimeout as sleep } from 'node:timers/promises'
import { patience } from './browser.mjs'

/**
 * Repeats a check until it holds, for what happens on its own time: a block, a balance.
 *
 * @template T
 * @param {() => T | Promise<T>} check throws while it does not hold yet
 * @param {number} [timeout] milliseconds
 * @returns {Promise<T>}
 * @throws what the check threw last
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
