/** A wallet to offer to a visitor without one: where to install it, and how a phone opens a page in it. */
export interface WalletLink {
  /** The rdns that the wallet announces (EIP-6963); an installed wallet is not offered. */
  readonly rdns: string
  readonly name: string
  /** Of a picture; a path below `/v1/assets/` is one of the gateway. */
  readonly imageUrl?: string
  /** Download page, https; for browsers without an entry in `extensions`. */
  readonly download: string
  /** Store pages of its browser extension, https. */
  readonly extensions?: Readonly<Partial<Record<ExtensionStore, string>>>
  /**
   * Opens a page in the browser of the wallet's phone app, https, with placeholders: the page's URL is `{url}` percent-encoded,
   * `{location}` without the scheme, or `{page}` as it is, and `{ref}` is its origin, percent-encoded. `{encode:…}` and
   * `{base64:…}` stand for what is in them, filled in and then percent-encoded or in base64, for a link within a link. A wallet
   * without it is not offered on phones.
   */
  readonly open?: string
}

export type ExtensionStore = 'chrome' | 'edge' | 'firefox'
