import { CallError } from '../session/api.ts'

const RETRY_MS = 2_000
const MOST_RETRIES = 30

/**
 * Makes a call that waits for the user, again for a minute while the server is not reached: browsers end the
 * calls of a page that the user has left for another app.
 */
export async function whileWaiting<T>(call: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await call()
    } catch (error) {
      const isUnreached = error instanceof CallError && error.code === 'unavailable'
      if (!isUnreached || retries === MOST_RETRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}
