import type { TokenBalance } from './account.ts'
import type { Connector } from './connector.ts'
import type { Contact } from './contacts.ts'
import type { SelectedWallet } from './directory.ts'
import type { Social } from './embeddedWallet.ts'
import type { Network } from './network.ts'
import type { OwnedNft } from './nft.ts'
import type { SwapArguments, SwapSide } from './swap.ts'

/** A page of the modal. */
export type View =
  | 'Account'
  | 'AllWallets'
  | 'ApproveTransaction'
  | 'BuyInProgress'
  | 'Connect'
  | 'ConnectOnPhone'
  | 'ConnectSocials'
  | 'ConnectWallets'
  | 'ConnectingExternal'
  | 'ConnectingFarcaster'
  | 'ConnectingMultiChain'
  | 'ConnectingSiwe'
  | 'ConnectingSocial'
  | 'ConnectingWalletConnect'
  | 'ConnectingWalletConnectBasic'
  | 'Contact'
  | 'Contacts'
  | 'EmailVerifyDevice'
  | 'EmailVerifyOtp'
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
  | 'RevokeApprovals'
  | 'SmartSessionCreated'
  | 'SmartSessionList'
  | 'Swap'
  | 'SwapPreview'
  | 'SwapSelectToken'
  | 'SwitchActiveChain'
  | 'SwitchNetwork'
  | 'TransactionStatus'
  | 'UnsupportedChain'
  | 'UpdateEmailPrimaryOtp'
  | 'UpdateEmailSecondaryOtp'
  | 'UpdateEmailWallet'
  | 'UpgradeEmailWallet'
  | 'WalletCompatibleNetworks'
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
  /** The contact that is edited or, without a stored one of its address, added. */
  readonly contact?: Contact
  readonly redirectView?: View
  /** The address that is logging in. */
  readonly email?: string
  /** The address that replaces the user's. */
  readonly newEmail?: string
  /** The two words of a device's approval, also in the mail. */
  readonly words?: string
  readonly social?: Social
  /** Initial values of a swap. */
  readonly swap?: SwapArguments
  /** The side of a swap whose token is being selected. */
  readonly swapSide?: SwapSide
}

/** The view of the modal, those before it, and its data. */
export interface RouterState {
  readonly view: View
  readonly history: readonly View[]
  readonly data: RouterData | undefined
}
