/** Size of the window, in CSS pixels. */
const FEATURES = 'width=600,height=800,scrollbars=yes'

/** A window for a page of a provider: a checkout, or a social login. That page has no access to the one that opened it. */
export interface Popup {
  /** Navigates to the page of the provider. */
  show(url: string): void
  focus(): void
  /** Closes the window while it is empty. Browsers refuse that for a page of the provider, which only closes itself. */
  close(): void
  /** Also true when the provider's page severed the connection (COOP); it may still be open. */
  isClosed(): boolean
}

/**
 * Opens an empty window; browsers allow it only in a click handler.
 *
 * @param notice text that it shows until it is navigated.
 * @returns undefined when the browser blocks it.
 */
export function openPopup(name: string, notice: string): Popup | undefined {
  const opened = openEmpty(name)
  if (!opened) return undefined
  opened.opener = null
  write(opened, notice)
  let isEmpty = true
  return {
    show(url) {
      isEmpty = false
      opened.location.replace(url)
    },
    focus: () => opened.focus(),
    close() {
      if (isEmpty) opened.close()
    },
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

/** Shows a text, because an empty window looks broken. */
function write({ document }: Window, notice: string): void {
  try {
    document.title = notice
    document.documentElement.style.colorScheme = 'light dark'
    document.body.style.cssText = 'display:grid;place-items:center;min-height:90vh;font:16px system-ui'
    document.body.textContent = notice
  } catch {
    // The window stays empty.
  }
}

/** Reports whether a URL may be opened in a window: https, or http when the gateway uses http. */
export function isPopupUrl(url: string, baseUrl: string): boolean {
  try {
    const { protocol } = new URL(url)
    return protocol === 'https:' || (protocol === 'http:' && new URL(baseUrl).protocol === 'http:')
  } catch {
    return false
  }
}
