/** A wallet that a visitor without one may choose: where to get it, and how a phone opens a page in it. */
export interface WalletLink {
  /** The reverse domain name under which the wallet announces itself (EIP-6963): one that is installed is not offered. */
  readonly rdns: string
  readonly name: string
  readonly imageUrl?: string
  /** Page to get the wallet from, https; for browsers without an entry in `extensions`. */
  readonly download: string
  /** Store pages of its browser extension, https. */
  readonly extensions?: Readonly<Partial<Record<ExtensionStore, string>>>
  /**
   * Opens a page in the browser of the wallet's phone app, https: `{url}` stands for the percent-encoded address of the page,
   * `{location}` for its address without the scheme. A wallet without it is not offered on phones.
   */
  readonly open?: string
}

export type ExtensionStore = 'chrome' | 'edge' | 'firefox'
