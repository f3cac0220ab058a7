import type { Siwx } from '@hawser/siwe'
import type { AccountType } from './account.ts'
import type { ConnectionCookie } from './connectionCookie.ts'
import type { ConnectorFactory, SiteMetadata } from './connector.ts'
import type { CustomWallet } from './directory.ts'
import type { Social } from './embeddedWallet.ts'
import type { Clock, KeyValueStorage } from './environment.ts'
import type { Locale, LocaleName } from './locale.ts'
import type { CaipNetworkId, Namespace, Network } from './network.ts'
import type { SwapContracts } from './swapContracts.ts'
import type { ThemeMode, ThemeVariables } from './theme.ts'
import type { WalletLink } from './walletLink.ts'

/** An action of the account view. */
export type WalletFeature = 'onramp' | 'swaps' | 'receive' | 'send'

/** A group of wallets in the list; `connectorTypeOrder` sorts them. */
export type ConnectorGroup =
  | 'walletConnect'
  | 'recent'
  | 'injected'
  | 'featured'
  | 'custom'
  | 'external'
  | 'recommended'

/** A way to connect. */
export type ConnectMethod = 'email' | 'social' | 'wallet'

/** Where the row that opens the whole directory is shown. */
export type AllWallets = 'SHOW' | 'HIDE' | 'ONLY_MOBILE'

/** Features of a site, and their order. */
export interface Features {
  readonly swaps: boolean
  readonly onramp: boolean
  readonly receive: boolean
  readonly send: boolean
  readonly history: boolean
  /** The tab with what others may do with the account: approvals and delegations. On by default. */
  readonly access: boolean
  /** Counts of events for the operator, at the gateway only; see `startAnalytics`. On by default. */
  readonly analytics: boolean
  /** Limited rights over an account for a limited time (ERC-7715). Off by default. */
  readonly smartSessions: boolean
  /**
   * Names the transfers and swaps that the modal sent on EVM chains to the gateway, so that the webhooks of the site tell
   * once they are final. Off by default.
   */
  readonly transactionWebhooks?: boolean
  readonly legalCheckbox: boolean
  readonly collapseWallets: boolean
  /** Logins of an embedded wallet, if the site has its connector. */
  readonly email: boolean
  /** The social logins to offer, in this order; `false` or an empty list offers none. */
  readonly socials: readonly Social[] | false
  /** Whether wallets are listed beside the email login. */
  readonly emailShowWallets: boolean
  /**
   * The order of the ways to connect. By default email, social, wallet; wallets first for a visitor who has one
   * installed.
   */
  readonly connectMethodsOrder: readonly ConnectMethod[] | undefined
  readonly connectorTypeOrder: readonly ConnectorGroup[]
  readonly walletFeaturesOrder: readonly WalletFeature[]
}

/** Options of `createHawser`. */
export interface HawserOptions {
  /** Project id known to the gateway: 32 hex digits. */
  readonly projectId: string
  /** Origin of the gateway, such as `https://wallet.example.com`. */
  readonly baseUrl: string
  readonly networks: readonly [Network, ...Network[]]
  readonly defaultNetwork?: Network
  readonly connectors?: readonly ConnectorFactory[]
  /** How the site introduces itself to wallets; by default the title of its page and its origin. */
  readonly metadata?: Partial<SiteMetadata>
  /** Signs accounts in by a message that their wallet signs; see `@hawser/siwe`. */
  readonly siwx?: Siwx
  readonly features?: Partial<Features>
  readonly themeMode?: ThemeMode
  /**
   * The language of the modal and the buttons; English by default. A module of `@hawser/react/locales` is used from
   * the first render, also on a server. A name is loaded with the modal's code; the buttons are in English until then.
   */
  readonly locale?: Locale | LocaleName
  readonly themeVariables?: ThemeVariables
  readonly enableNetworkSwitch?: boolean
  readonly allowUnsupportedChain?: boolean
  readonly enableWallets?: boolean
  readonly enableWalletGuide?: boolean
  /** Offers pairings alone: the modal opens on a QR code, and any network is accepted. False by default. */
  readonly wcBasic?: boolean
  /**
   * Wallets to offer to a visitor without one: to install, or on a phone to open this page in. `defaultWalletLinks`
   * by default; an empty list offers none.
   */
  readonly walletLinks?: readonly WalletLink[]
  /** Whether the whole wallet directory can be opened; `SHOW` by default. */
  readonly allWallets?: AllWallets
  /** Ids of the only wallets of the directory to offer. */
  readonly includeWalletIds?: readonly string[]
  /** Ids of wallets of the directory that are not offered. */
  readonly excludeWalletIds?: readonly string[]
  /** Ids of wallets of the directory that are listed first, in this order. */
  readonly featuredWalletIds?: readonly string[]
  /** Wallets that are not in the directory. */
  readonly customWallets?: readonly CustomWallet[]
  readonly termsConditionsUrl?: string
  readonly privacyPolicyUrl?: string
  readonly defaultAccountTypes?: Partial<Record<Namespace, AccountType>>
  /**
   * Region of the visitors who buy: ISO 3166-1 alpha-2, or a state of ISO 3166-2 such as `US-NY`; the browser's
   * region by default.
   */
  readonly onrampCountry?: string
  /** Time zones (IANA) whose visitors cannot buy; none by default, see `RESTRICTED_TIMEZONES`. */
  readonly restrictedTimezones?: readonly string[]
  /**
   * Contracts that swaps may call beside the built-in ones, by network: those of a local chain or of an operator's
   * own venues. Transactions to other contracts are refused.
   */
  readonly swapContracts?: Readonly<Partial<Record<CaipNetworkId, SwapContracts>>>
  /** Whether the modal's code may be prefetched in idle time; `true` by default. */
  readonly prefetch?: boolean
  readonly debug?: boolean
  /** Lets a server render the page of a connected visitor; see `connectionCookie` of `@hawser/core/cookie`. */
  readonly connectionCookie?: ConnectionCookie
  /** Sent to the gateway as `st`. */
  readonly sdkType?: string
  /** Sent to the gateway as `sv`. */
  readonly sdkVersion?: string
  /** Injected for tests; the browser's own by default. */
  readonly fetch?: typeof fetch
  readonly storage?: KeyValueStorage
  readonly clock?: Clock
}

/** The options with every default filled in. */
export interface OptionsState {
  readonly projectId: string
  readonly baseUrl: string
  readonly metadata: Partial<SiteMetadata>
  readonly features: Features
  readonly enableNetworkSwitch: boolean
  readonly allowUnsupportedChain: boolean
  readonly enableWallets: boolean
  readonly enableWalletGuide: boolean
  readonly wcBasic: boolean
  /** Undefined: `defaultWalletLinks`, which only the modal loads. */
  readonly walletLinks: readonly WalletLink[] | undefined
  readonly allWallets: AllWallets
  readonly includeWalletIds: readonly string[]
  readonly excludeWalletIds: readonly string[]
  readonly featuredWalletIds: readonly string[]
  readonly customWallets: readonly CustomWallet[]
  readonly sdkType: string | undefined
  readonly sdkVersion: string | undefined
  readonly termsConditionsUrl: string | undefined
  readonly privacyPolicyUrl: string | undefined
  readonly defaultAccountTypes: Readonly<Record<Namespace, AccountType>>
  readonly onrampCountry: string | undefined
  readonly restrictedTimezones: readonly string[]
  readonly swapContracts: Readonly<Partial<Record<CaipNetworkId, SwapContracts>>>
  readonly prefetch: boolean
  /** A name until its module is loaded; undefined for English. */
  readonly locale: Locale | LocaleName | undefined
  readonly debug: boolean
  /** The visitor's tick on the legal checkbox. */
  readonly isLegalCheckboxChecked: boolean
}
