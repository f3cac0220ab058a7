import type { Hawser } from '@hawser/core'

/** Where a browser does not tell when it is idle, in milliseconds after the page has loaded. */
const IDLE_MS = 200

/** Whether code may be fetched that may never be used: the site and the visitor allow it, and there is a network. */
export function mayPrefetch(hawser: Hawser): boolean {
  if (!hawser.options.getState().prefetch || !navigator.onLine) return false
  // Chromium alone knows of it.
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  return !connection?.saveData
}

/** Runs a task in the first idle time after the page has loaded; returns what cancels it. */
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
