import type { ExtensionStore } from '@hawser/core'

/** Whether this browser runs on a phone or tablet, where wallets are apps and not extensions. */
export function isPhone({ userAgent, maxTouchPoints }: Navigator = navigator): boolean {
  // An iPad calls itself a Mac; no Mac has a touch screen.
  return /Android|iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}

/** The store that this browser installs extensions from; undefined where that is not known, as in Safari. */
export function extensionStore({ userAgent }: Navigator = navigator): ExtensionStore | undefined {
  if (/Edg\//.test(userAgent)) return 'edge'
  if (/Firefox\//.test(userAgent)) return 'firefox'
  return /Chrom(e|ium)\//.test(userAgent) ? 'chrome' : undefined
}

/** Whether an address is of this computer alone, so that no phone can open it. */
export function isLoopback({ hostname }: Location = location): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
