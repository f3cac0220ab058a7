import type { Hawser } from '@hawser/core'

/** Delay after `load` in browsers without `requestIdleCallback`, in milliseconds. */
const IDLE_MS = 200

/** Reports whether code may be prefetched: the site allows it, the browser is online, and Save-Data is off. */
export function mayPrefetch(hawser: Hawser): boolean {
  if (!hawser.options.getState().prefetch || !navigator.onLine) return false
  // Only Chromium has it.
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  return !connection?.saveData
}

/** Runs a task in the first idle time after the page has loaded; returns a function that cancels it. */
export function whenIdle(task: () => void): () => void {
  let cancel = () => removeEventListener('load', wait)
  function wait() {
    const isTold = typeof requestIdleCallback === 'function'
    const handle = isTold ? requestIdleCallback(task) : setTimeout(task, IDLE_MS)
    cancel = () => (isTold ? cancelIdleCallback : clearTimeout)(handle as number)
  }
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait)
  return () => cancel()
}
