import type { TokenBalance } from './account.ts'
import type { Connector } from './connector.ts'
import type { SelectedWallet } from './directory.ts'
import type { Network } from './network.ts'
import type { OwnedNft } from './nft.ts'
import type { SwapArguments, SwapSide } from './swap.ts'

/** A page of the modal. */
export type View =
  | 'Account'
  | 'AllWallets'
  | 'BuyInProgress'
  | 'Connect'
  | 'ConnectOnPhone'
  | 'ConnectWallets'
  | 'ConnectingExternal'
  | 'ConnectingSiwe'
  | 'ConnectingWalletConnect'
  | 'ConnectingWalletConnectBasic'
  | 'GetWallet'
  | 'NameAddress'
  | 'NameDetail'
  | 'NameRecords'
  | 'NameRelease'
  | 'NameTransfer'
  | 'Names'
  | 'Networks'
  | 'NftDetail'
  | 'OnRampActivity'
  | 'OnRampFiatSelect'
  | 'OnRampProviders'
  | 'OnRampTokenSelect'
  | 'Profile'
  | 'RegisterAccountName'
  | 'RegisterAccountNameSuccess'
  | 'Swap'
  | 'SwapPreview'
  | 'SwapSelectToken'
  | 'SwitchNetwork'
  | 'TransactionStatus'
  | 'UnsupportedChain'
  | 'WalletReceive'
  | 'WalletSend'
  | 'WalletSendNft'
  | 'WalletSendPreview'
  | 'WalletSendSelectToken'
  | 'WhatIsABuy'
  | 'WhatIsANetwork'
  | 'WhatIsAWallet'

/** Data that a view was opened with. */
export interface RouterData {
  readonly connector?: Connector
  readonly wallet?: SelectedWallet
  readonly network?: Network
  readonly token?: TokenBalance
  readonly nft?: OwnedNft
  readonly redirectView?: View
  /** Initial values of a swap. */
  readonly swap?: SwapArguments
  /** The side of a swap whose token is being selected. */
  readonly swapSide?: SwapSide
}

export interface RouterState {
  readonly view: View
  readonly history: readonly View[]
  readonly data: RouterData | undefined
}
