import { type ExtensionStore, isInTelegram, isPhone, type SelectedWallet } from '@hawser/core'

/** Returns the extension store of this browser; undefined when unknown, as for Safari. */
export function extensionStore({ userAgent }: Navigator = navigator): ExtensionStore | undefined {
  if (/Edg\//.test(userAgent)) return 'edge'
  if (/Firefox\//.test(userAgent)) return 'firefox'
  return /Chrom(e|ium)\//.test(userAgent) ? 'chrome' : undefined
}

/** Reports whether a host name is local to this computer, so that a phone cannot open it. */
export function isLoopback({ hostname }: Pick<Location, 'hostname'> = location): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** Reports whether the browser opens an app only within a tap: those of iOS, and the one inside Telegram. */
export function needsTapToOpenApps({ userAgent, maxTouchPoints }: Navigator = navigator): boolean {
  const isApple = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  return isApple || isInTelegram()
}

/** Returns where this device gets a wallet from: its store, or the wallet's own page; undefined when none is known. */
export function downloadUrl(
  { appStore, playStore, chromeStore, homepage }: SelectedWallet,
  browser: Navigator = navigator,
): string | undefined {
  if (/Android/.test(browser.userAgent)) return playStore ?? homepage
  if (isPhone(browser)) return appStore ?? homepage
  return (extensionStore(browser) === 'chrome' ? chromeStore : undefined) ?? homepage
}
