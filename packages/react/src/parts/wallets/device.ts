import type { ExtensionStore } from '@hawser/core'

/** Reports whether this is a phone or tablet, where wallets are apps and not extensions. */
export function isPhone({ userAgent, maxTouchPoints }: Navigator = navigator): boolean {
  // An iPad reports the platform of a Mac; no Mac has a touch screen.
  return /Android|iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}

/** The extension store of this browser; undefined when unknown, as for Safari. */
export function extensionStore({ userAgent }: Navigator = navigator): ExtensionStore | undefined {
  if (/Edg\//.test(userAgent)) return 'edge'
  if (/Firefox\//.test(userAgent)) return 'firefox'
  return /Chrom(e|ium)\//.test(userAgent) ? 'chrome' : undefined
}

/** Reports whether a host name is local to this computer, so that a phone cannot open it. */
export function isLoopback({ hostname }: Location = location): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
