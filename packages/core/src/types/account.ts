import type { MessageData } from '@hawser/client'
import type { Balance, Quantity } from '@hawser/client/balances'
import type { Popup } from '../popup/popup.ts'
import type { EmbeddedUser, Social } from './embeddedWallet.ts'
import type { CaipAddress, Network } from './network.ts'

/** `payment` and `ordinal` are addresses of a Bitcoin wallet: only the first pays. */
export type AccountType = 'eoa' | 'smartAccount' | 'payment' | 'ordinal'

/** How an account is connected; `reconnecting` while the wallet of the last visit is asked again. */
export type AccountStatus = 'reconnecting' | 'connected' | 'disconnected' | 'connecting'

/** One row of a balance list. */
export interface TokenBalance extends Omit<MessageData<Balance>, 'quantity'> {
  /** `numeric` is an exact decimal string in whole tokens. */
  readonly quantity: MessageData<Quantity>
}

/** An account that a wallet grants. */
export interface AccountEntry {
  readonly address: string
  readonly type: AccountType
  /** The wallet's own name of the account. */
  readonly label?: string
  /** Hex without 0x, in namespaces whose addresses do not have it. */
  readonly publicKey?: string
}

export interface ConnectedWalletInfo {
  readonly name: string
  readonly icon?: string
  readonly type: string
  readonly rdns?: string
  /** True for an embedded wallet in a browser that does not let it store anything: the login ends with this tab. */
  readonly endsWithTab?: true
}

/** The account of one namespace. */
export interface AccountState {
  readonly caipAddress: CaipAddress | undefined
  readonly address: string | undefined
  /** Whether there is an address: also while the wallet of the last visit is reconnecting. */
  readonly isConnected: boolean
  readonly status: AccountStatus
  /** Native balance, an exact decimal string in whole tokens. */
  readonly balance: string | undefined
  readonly balanceSymbol: string | undefined
  readonly balanceLoading: boolean
  readonly profileName: string | undefined
  readonly profileImage: string | undefined
  readonly user: EmbeddedUser | undefined
  readonly addressExplorerUrl: string | undefined
  readonly smartAccountDeployed: boolean
  /** 0 Tokens, 1 NFTs, 2 Activity, 3 Access. */
  readonly currentTab: number
  readonly tokenBalance: readonly TokenBalance[]
  readonly tokenBalanceLoading: boolean
  /** False until the first answer for this account and network: the page shows a skeleton. */
  readonly tokenBalanceLoaded: boolean
  /** Whether the account holds more tokens than the list has. */
  readonly isTokenBalancePartial: boolean
  /** Unix milliseconds of the last failed token balance request; a retry waits 30 s. */
  readonly lastRetry: number | undefined
  /** The accounts that the wallet grants, in its order; see `chooseAccount`. */
  readonly allAccounts: readonly AccountEntry[]
  /** Names of `allAccounts` by address, where known; see `labelAccounts`. */
  readonly addressLabels: ReadonlyMap<string, string>
  readonly connectedWalletInfo: ConnectedWalletInfo | undefined
  readonly preferredAccountTypes: Readonly<Partial<Record<string, AccountType>>>
  /** The social login that is pending, or that the user of an embedded wallet is logged in by. */
  readonly socialProvider: Social | undefined
  /** The window of a social login that is pending. */
  readonly socialWindow: Popup | undefined
  /** The link to scan for a Farcaster login that is pending. */
  readonly farcasterUrl: string | undefined
  /** The one of `allAccounts` that the visitor chose; the wallet's first is used otherwise. */
  readonly shouldUpdateToAddress: string | undefined
}

/** The account and the network that a wallet was connected with. */
export interface Connected {
  readonly address: string
  readonly caipAddress: CaipAddress
  readonly network: Network
}
