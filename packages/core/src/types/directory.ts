import type { RecentWallet, Relay } from './connector.ts'
import type { Namespace } from './network.ts'

/** A wallet of the directory. URLs are https, except for links that open an app. */
export interface DirectoryWallet extends RecentWallet {
  /** 64 hex digits. */
  readonly id: string
  readonly homepage?: string
  /** Opens a page as `browserLink` does, with a scheme of the app. It opens nothing where the app is not installed, so it is no QR code. */
  readonly browserScheme?: string
  readonly appStore?: string
  readonly playStore?: string
  readonly chromeStore?: string
  readonly isCertified: boolean
  /** The relays that the wallet answers through; empty for one that cannot be paired. */
  readonly relays: readonly Relay[]
}

/**
 * A wallet that the visitor selected: one of the directory, or a remembered one, which may have fewer fields.
 */
export type SelectedWallet = RecentWallet & Partial<DirectoryWallet>

/**
 * A wallet that the site adds to the list. The site chooses its id. It is assumed to answer through every
 * relay.
 */
export type CustomWallet = RecentWallet & Partial<Omit<DirectoryWallet, 'isCertified'>>

/**
 * A way to reach a wallet outside this page: through a relay, or by a link into the browser of its app, which is https
 * for `browser`, and has a scheme of the app for `scheme`.
 */
export type Reach = Relay | 'browser' | 'scheme'

/** A part of the directory that is read page by page. */
export interface WalletPages {
  readonly wallets: readonly DirectoryWallet[]
  /** Number of wallets on all pages; undefined until the first page was read. */
  readonly count: number | undefined
  /** Pages read. */
  readonly page: number
  readonly isLoading: boolean
  readonly hasFailed: boolean
}

/** The wallets of the gateway's directory, as far as they were read. */
export interface DirectoryState {
  /** The wallets work on the site's networks of this namespace; undefined before any was read. */
  readonly namespace?: Namespace
  /** Wallets that the site names first, in its order. */
  readonly featured: readonly DirectoryWallet[]
  /** Wallets that are offered while few are installed. */
  readonly recommended: readonly DirectoryWallet[]
  /** Number of wallets that are featured or can be reached from here; undefined until known. */
  readonly count: number | undefined
  /** The wallets that can be reached from here. */
  readonly all: WalletPages
  /** What the visitor searches for; empty for nothing. */
  readonly query: string
  readonly isCertifiedOnly: boolean
  /** The wallets that match the query. */
  readonly found: WalletPages
}
