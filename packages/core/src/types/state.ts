import type { Message } from '@hawser/texts/message'
import type { AccountState, TokenBalance } from './account.ts'
import type { SentTransaction } from './activity.ts'
import type { FeeQuote, FeeSpeed, TransferRefusal } from './adapter.ts'
import type { Connector, DeepLink, RecentWallet } from './connector.ts'
import type { CaipAddress, CaipNetworkId, Namespace, Network } from './network.ts'
import type { OwnedNft } from './nft.ts'
import type { PreviewState } from './preview.ts'
import type { ThemeMode, ThemeVariables } from './theme.ts'

/** Whether the modal is open, and how it is shown. */
export interface ModalState {
  readonly open: boolean
  readonly loading: boolean
  readonly loadingNamespaceMap: ReadonlyMap<Namespace, boolean>
  readonly shake: boolean
}

export type ToastVariant = 'loading' | 'success' | 'neutral' | 'error'

export interface ToastState extends Message {
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

/** The palette, and the variables that differ from it. */
export interface ThemeState {
  readonly themeMode: ThemeMode
  readonly themeVariables: ThemeVariables
}

export interface NetworkState {
  /** The network that the wallet is on; its name is "Unknown Network" if the site does not list it. */
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

/** The namespaces of the site, each with its network and account; `active…` is that of the one in use. */
export interface ChainState {
  readonly chains: ReadonlyMap<Namespace, ChainRecord>
  readonly activeChain: Namespace
  readonly activeCaipNetwork: Network | undefined
  readonly activeCaipAddress: CaipAddress | undefined
  readonly isSwitchingNamespace: boolean
}

export type ConnectionStatus = 'disconnected' | 'connecting' | 'connected'

/** The attempt to connect, and the pairing that is offered. */
export interface ConnectionState {
  readonly status: ConnectionStatus
  readonly wcUri: string | undefined
  /** Unix milliseconds. */
  readonly wcPairingExpiry: number | undefined
  readonly wcLinking: { readonly href: string; readonly name: string } | undefined
  readonly wcError: boolean
  readonly buffering: boolean
  readonly recentWallet: RecentWallet | undefined
  /** The hand-off whose page is open in a wallet: its digits are to be compared. */
  readonly handoff?: ClaimedHandoff | undefined
  /** The page of a wallet, connected by a hand-off, that does not answer a request: it is to be opened again. */
  readonly silentWallet?: SilentWallet | undefined
}

/** A wallet whose page does not answer, with the link that opens it again. */
export interface SilentWallet extends DeepLink {
  /** Whether the modal was opened to say so. */
  readonly isOpenedForIt: boolean
}

/** A hand-off whose page is open in a wallet. */
export interface ClaimedHandoff {
  /** Six, which both screens show. */
  readonly digits: string
  /** Whether another device opened the page as well, and was refused. */
  readonly hasSecondScan: boolean
  readonly isConfirmed: boolean
  /** Says that they are equal. */
  confirm(): void
}

/** The wallets that were found, and those of the last visits. */
export interface ConnectorsState {
  /** Every wallet found, in order of discovery. */
  readonly allConnectors: readonly Connector[]
  /** Merged by name over namespaces and ordered for display. */
  readonly connectors: readonly Connector[]
  /** The connector in use per namespace. */
  readonly activeConnectorIds: Readonly<Partial<Record<Namespace, string>>>
  readonly recentWallets: readonly RecentWallet[]
}

/** State of the gateway's updates about the active account. */
export interface PushState {
  /** True while a stream is open. */
  readonly isLive: boolean
  /** Counts the changes of the account's history. */
  readonly activityChanges: number
  /** Counts the changes of the account's names. */
  readonly identityChanges: number
  /** Counts the purchases that this page started: each adds a token to the stream's request. */
  readonly orderTokens: number
}

/**
 * `checking` while a receiver's name is resolved once more before the wallet prompts; `sending` until the wallet
 * answers. A draft that was `declined` or ended in an `error` is kept.
 */
export type SendStatus = 'draft' | 'checking' | 'sending' | 'declined' | 'success' | 'error'

/**
 * `unchecked` until the checksum of a mixed-case address is computed. A name is `resolving` until its address is
 * known. `unknownName`: the name is invalid or not registered; `noAddress`: it has no address on the active network;
 * `unresolved`: the gateway did not answer; `moved`: its address is not the one that was reviewed.
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

/**
 * Why a payment request or a receiver with its chain cannot be drafted.
 *
 * - `otherNetwork`: the payment is for a network that is not the active one.
 * - `tokenNotHeld`: the payment is in a token that the account does not hold.
 * - `elsewhere`: the receiver is on a network that is not the active one.
 * - `unknownChain`: no network here has the chain's name.
 * - `wrongChecksum`: the checksum is not that of the receiver on the chain.
 */
export type ReceiverObjection =
  | { readonly kind: 'otherNetwork'; readonly network: string }
  | { readonly kind: 'tokenNotHeld' }
  | {
      readonly kind: 'elsewhere'
      /** As it was typed. */
      readonly text: string
      /** A name, or the CAIP-2 id of a network that the site does not list. */
      readonly network: string
      /** The network, if the wallet can switch to it and the draft can be begun again there. */
      readonly target?: Network | undefined
    }
  | { readonly kind: 'unknownChain'; readonly chain: string }
  | { readonly kind: 'wrongChecksum' }

/** A receiver that was given with its chain: an account of CAIP-10 or an interoperable name. */
export interface ReceiverWithChain {
  /** As it was typed. */
  readonly text: string
  /** Name of the network, which is the active one; absent if the text names a namespace alone. */
  readonly network?: string | undefined
}

/** `late`: it is still being read, and nothing waits for it any more. `read`: it was read, or could not be. */
export type ReceiverHistory = 'reading' | 'late' | 'read'

export interface SendState {
  readonly status: SendStatus
  readonly token: TokenBalance | undefined
  /** The NFT to send instead. */
  readonly nft: OwnedNft | undefined
  /** The typed amount: a decimal string in whole tokens, or the count of an NFT. */
  readonly sendTokenAmount: string
  /** True while the amount is the whole balance, less gas. */
  readonly isMaxAmount: boolean
  /** The receiver's address; empty while a name is not resolved. */
  readonly receiverAddress: string
  /** The address as it was typed, where the network writes it differently. */
  readonly receiverTyped: string | undefined
  readonly receiverStatus: ReceiverStatus
  /** Another namespace, whose addresses an invalid receiver looks like. */
  readonly receiverKind: Namespace | undefined
  /** Why a payment request or a chain that was given with the receiver cannot be drafted. */
  readonly receiverObjection: ReceiverObjection | undefined
  /** What was typed, when it names a chain too. */
  readonly receiverWithChain?: ReceiverWithChain | undefined
  /** The name that was typed instead of an address. */
  readonly receiverProfileName: string | undefined
  readonly receiverProfileImageUrl: string | undefined
  /** How far the history is read that receivers are compared with; undefined before the draft had a receiver. */
  readonly history?: ReceiverHistory | undefined
  /** The address that the visitor chose although the history casts doubt on it. */
  readonly chosenReceiver?: string | undefined
  /** The fee of the transfer; undefined until it is read. */
  readonly fee: FeeQuote | undefined
  /** How soon the transfer should be in a block, on networks where the sender chooses. */
  readonly feeSpeed: FeeSpeed
  /** Wei per unit of gas, on EVM networks. */
  readonly gasPrice: bigint | undefined
  /** True when the node could not estimate the fee, as when the transfer would revert. */
  readonly isGasUnavailable: boolean
  /** Why the transfer would fail, if that is known. */
  readonly refusal: TransferRefusal | undefined
  /** Native base units held by the sender; undefined until read. */
  readonly networkBalance: bigint | undefined
  /** For display only; undefined when the price is unknown. */
  readonly gasPriceInUSD: number | undefined
  /** For display only; undefined when the price is unknown. */
  readonly networkBalanceInUSD: number | undefined
  readonly tokenBalances: readonly TokenBalance[]
  readonly loading: boolean
  /** Unix milliseconds of the last failed balance request; a retry waits 30 s. */
  readonly lastRetry: number | undefined
  /** What the wallet would sign; undefined before the review, after an edit, and where `isSendPreviewed` is false. */
  readonly preview?: PreviewState | undefined
  /** Hash of the last transaction the wallet accepted. */
  readonly transactionHash: string | undefined
  /** The last transfer or swap that the wallet sent, and its state; kept when the draft is cleared. */
  readonly sent: SentTransaction | undefined
}
