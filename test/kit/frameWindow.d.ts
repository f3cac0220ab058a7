import type { createEmbeddedWallet, EmbeddedWallet } from '@hawser/frame'

declare global {
  /** Globals of the pages of the frame's tests. */
  interface Window {
    createEmbeddedWallet: typeof createEmbeddedWallet
    wallet: EmbeddedWallet
    /** End of the page's own channel. */
    port: MessagePort
    /** A popup that the page has opened. */
    popup: Window | null
    /** A request that a click has started. */
    signing: Promise<unknown>
  }
}
