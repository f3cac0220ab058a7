import type { AccountState, TokenBalance } from './account.ts'
import type { SentTransaction } from './activity.ts'
import type { Connector, RecentWallet } from './connector.ts'
import type { CaipAddress, CaipNetworkId, Namespace, Network } from './network.ts'
import type { OwnedNft } from './nft.ts'
import type { ThemeMode, ThemeVariables } from './options.ts'

export interface ModalState {
  readonly open: boolean
  readonly loading: boolean
  readonly loadingNamespaceMap: ReadonlyMap<Namespace, boolean>
  readonly shake: boolean
}

export type ToastVariant = 'loading' | 'success' | 'neutral' | 'error'

export interface ToastState {
  readonly message: string
  readonly variant: ToastVariant
  readonly open: boolean
  readonly autoClose: boolean
}

export type AlertVariant = 'info' | 'success' | 'warning' | 'error'

export interface AlertState {
  readonly message: string
  readonly variant: AlertVariant
  readonly open: boolean
}

export interface ThemeState {
  readonly themeMode: ThemeMode
  readonly themeVariables: ThemeVariables
}

export interface NetworkState {
  /** The network the wallet is on; its name is "Unknown Network" when the site did not ask for it. */
  readonly caipNetwork: Network | undefined
  readonly supportsAllNetworks: boolean
  readonly approvedCaipNetworkIds: readonly CaipNetworkId[] | undefined
  readonly requestedCaipNetworks: readonly Network[]
  readonly smartAccountEnabledNetworks: readonly CaipNetworkId[]
}

export interface ChainRecord {
  readonly namespace: Namespace
  readonly caipNetworks: readonly Network[]
  readonly networkState: NetworkState
  readonly accountState: AccountState
}

export interface ChainState {
  readonly chains: ReadonlyMap<Namespace, ChainRecord>
  readonly activeChain: Namespace
  readonly activeCaipNetwork: Network | undefined
  readonly activeCaipAddress: CaipAddress | undefined
  readonly isSwitchingNamespace: boolean
}

export type ConnectionStatus = 'disconnected' | 'connecting' | 'connected'

export interface ConnectionState {
  readonly status: ConnectionStatus
  readonly wcUri: string | undefined
  /** Unix milliseconds. */
  readonly wcPairingExpiry: number | undefined
  readonly wcLinking: { readonly href: string; readonly name: string } | undefined
  readonly wcError: boolean
  readonly buffering: boolean
  readonly recentWallet: RecentWallet | undefined
}

export interface ConnectorsState {
  /** Every wallet found, in order of discovery. */
  readonly allConnectors: readonly Connector[]
  /** Merged by name over namespaces and ordered for display. */
  readonly connectors: readonly Connector[]
  /** The connector in use per namespace. */
  readonly activeConnectorIds: Readonly<Partial<Record<Namespace, string>>>
  readonly recentWallets: readonly RecentWallet[]
}

/** What the gateway tells of the active account without being asked. */
export interface PushState {
  /** True while a stream is open: what is shown is what the chain says. */
  readonly isLive: boolean
  /** Counts the changes of the account's history. */
  readonly activityChanges: number
  /** Counts the changes of the account's names. */
  readonly identityChanges: number
  /** How many purchases were begun on this page: each has the gateway watched with its token too. */
  readonly orderTokens: number
}

/**
 * `checking` while a receiver's name is looked up once more, right before the wallet is asked; `sending` while the wallet is
 * asked. A draft that was `declined`, or ended in an `error`, is kept.
 */
export type SendStatus = 'draft' | 'checking' | 'sending' | 'declined' | 'success' | 'error'

/**
 * `unchecked` until the checksum of a mixed-case address has been computed. A name is `resolving` until its address is
 * known. `unknownName`: nothing is found under the name; `noAddress`: it has no address for the network in use;
 * `unresolved`: the gateway did not answer; `moved`: it has another address now than the one that was reviewed.
 */
export type ReceiverStatus =
  | 'empty'
  | 'unchecked'
  | 'valid'
  | 'invalid'
  | 'resolving'
  | 'unknownName'
  | 'noAddress'
  | 'unresolved'
  | 'moved'

export interface SendState {
  readonly status: SendStatus
  readonly token: TokenBalance | undefined
  /** What is sent instead of a token. */
  readonly nft: OwnedNft | undefined
  /** What the visitor typed: a decimal string in whole tokens, or how many of an NFT. */
  readonly sendTokenAmount: string
  /** True while the amount follows the balance: all of the token, less what gas takes. */
  readonly isMaxAmount: boolean
  /** Where it goes; empty while a name is not resolved. */
  readonly receiverAddress: string
  readonly receiverStatus: ReceiverStatus
  /** The name that was typed instead of an address. */
  readonly receiverProfileName: string | undefined
  readonly receiverProfileImageUrl: string | undefined
  /** Wei per unit of gas. */
  readonly gasPrice: bigint | undefined
  /** Units of gas the transfer takes, as the node estimates it. */
  readonly gasLimit: bigint | undefined
  /** Wei a rollup takes on top for writing the transaction to its base chain; 0 elsewhere. */
  readonly dataFee: bigint | undefined
  /** True when the node could not say what the transfer costs, as when it would revert. */
  readonly isGasUnavailable: boolean
  /** Wei held by the sender; undefined until read. */
  readonly networkBalance: bigint | undefined
  /** For display only; undefined when the price is unknown. */
  readonly gasPriceInUSD: number | undefined
  /** For display only; undefined when the price is unknown. */
  readonly networkBalanceInUSD: number | undefined
  readonly tokenBalances: readonly TokenBalance[]
  readonly loading: boolean
  /** Unix milliseconds of the last failed balance request; a retry waits 30 s. */
  readonly lastRetry: number | undefined
  /** Hash of the last transaction the wallet accepted. */
  readonly transactionHash: string | undefined
  /** The last transfer that the wallet accepted, and how far it is; kept when a draft is dropped. */
  readonly sent: SentTransaction | undefined
}
