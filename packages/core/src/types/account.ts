import type { CaipAddress, Network } from './network.ts'

export type AccountType = 'eoa' | 'smartAccount' | 'payment'

export type AccountStatus = 'reconnecting' | 'connected' | 'disconnected' | 'connecting'

/** One row of a balance list, as the gateway answers it. */
export interface TokenBalance {
  readonly name: string
  readonly symbol: string
  readonly chainId?: string
  /** CAIP-10 of the contract; absent for the native token. */
  readonly address?: string
  /** Worth in the currency asked for, for display only. */
  readonly value?: number
  /** Price of one token in the currency asked for, for display only; 0 when unknown. */
  readonly price: number
  /** `numeric` is an exact decimal string in whole tokens. */
  readonly quantity: { readonly decimals: string; readonly numeric: string }
  readonly iconUrl: string
  /** Where the price comes from: `static`, `feed`, `pool` or a vendor's name; absent when there is no price. */
  readonly priceSource?: string
  /** Seconds since the price was made; absent when it does not age. */
  readonly priceAge?: number
  /** Why the token is better not shown at first: `no_liquidity`, `link` or `look_alike`; absent when nothing speaks against it. */
  readonly hidden?: string
}

/** The user of an embedded wallet. */
export interface EmbeddedUser {
  readonly email?: string
  readonly address: string
  readonly chainId: string
  readonly accounts: readonly AccountEntry[]
  readonly userName?: string
  readonly smartAccountDeployed?: boolean
  readonly preferredAccountType?: AccountType
}

export interface AccountEntry {
  readonly address: string
  readonly type: AccountType
}

export interface ConnectedWalletInfo {
  readonly name: string
  readonly icon?: string
  readonly type: string
  readonly rdns?: string
}

/** Everything known of the account of one namespace. */
export interface AccountState {
  readonly caipAddress: CaipAddress | undefined
  readonly address: string | undefined
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
  /** 0 Tokens, 1 NFTs, 2 Activity. */
  readonly currentTab: number
  readonly tokenBalance: readonly TokenBalance[]
  readonly tokenBalanceLoading: boolean
  /** False until the first answer for this account and network: the page shows a skeleton. */
  readonly tokenBalanceLoaded: boolean
  /** Unix milliseconds of the last failed token balance request; a retry waits 30 s. */
  readonly lastRetry: number | undefined
  /** What the wallet grants, in its order; see `chooseAccount`. */
  readonly allAccounts: readonly AccountEntry[]
  /** Names of `allAccounts` by address, of those that are known; see `labelAccounts`. */
  readonly addressLabels: ReadonlyMap<string, string>
  readonly connectedWalletInfo: ConnectedWalletInfo | undefined
  readonly preferredAccountTypes: Readonly<Partial<Record<string, AccountType>>>
  readonly socialProvider: string | undefined
  readonly socialWindow: unknown
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
