/** Size of the window, in CSS pixels. */
const FEATURES = 'width=600,height=800,scrollbars=yes'

/** A window for a page of a provider: a checkout, or a social login. */
export interface Popup {
  /** Navigates to the page of a provider, which has no access to the page that opened the window. */
  show(url: string): void
  /** Navigates to a page of the embedded wallet, which finds its frame through the page that opened the window and then cuts it off. */
  showWithOpener(url: string): void
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
  write(opened, notice)
  let isEmpty = true
  const showWithOpener = (url: string) => {
    isEmpty = false
    opened.location.replace(url)
  }
  return {
    show(url) {
      opened.opener = null
      showWithOpener(url)
    },
    showWithOpener,
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
