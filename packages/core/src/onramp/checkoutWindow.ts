/** Size of the window where one pays, in CSS pixels. */
const FEATURES = 'width=600,height=800,scrollbars=yes'

/** A window of a seller. What is in it cannot reach the page that opened it. */
export interface CheckoutWindow {
  /** Sends it to the place where one pays. */
  show(url: string): void
  focus(): void
  close(): void
  /** True as well when the seller's page cut the tie to this one (COOP): it may still be open. */
  isClosed(): boolean
}

/**
 * Opens an empty window; browsers allow it only while a click is being handled.
 *
 * @param notice what it says until it is sent somewhere.
 * @returns undefined when the browser does not allow it.
 */
export function openCheckoutWindow(name: string, notice: string): CheckoutWindow | undefined {
  const opened = openEmpty(name)
  if (!opened) return undefined
  opened.opener = null
  write(opened, notice)
  return {
    show: (url) => opened.location.replace(url),
    focus: () => opened.focus(),
    close: () => opened.close(),
    isClosed: () => opened.closed,
  }
}

function openEmpty(name: string): Window | undefined {
  try {
    return globalThis.window?.open('', name, FEATURES) ?? undefined
  } catch {
    return undefined
  }
}

/** An empty window looks broken. */
function write({ document }: Window, notice: string): void {
  try {
    document.title = notice
    document.documentElement.style.colorScheme = 'light dark'
    document.body.style.cssText = 'display:grid;place-items:center;min-height:90vh;font:16px system-ui'
    document.body.textContent = notice
  } catch {
    // It is empty then.
  }
}

/** Whether a place where one pays may be opened: https, or http where the gateway itself is reached by http. */
export function isCheckoutUrl(url: string, baseUrl: string): boolean {
  try {
    const { protocol } = new URL(url)
    return protocol === 'https:' || (protocol === 'http:' && new URL(baseUrl).protocol === 'http:')
  } catch {
    return false
  }
}
