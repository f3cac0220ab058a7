import { importModule, type View } from '@hawser/core'
import type { ComponentType } from 'react'
import { ConnectView } from '../views/Connect/ConnectView.tsx'
import { ConnectingExternalView } from '../views/ConnectingExternal/ConnectingExternalView.tsx'
import { ConnectWalletsView } from '../views/ConnectWallets/ConnectWalletsView.tsx'
import { GetWalletView } from '../views/GetWallet/GetWalletView.tsx'
import { NetworksView } from '../views/Networks/NetworksView.tsx'
import { SwitchNetworkView } from '../views/SwitchNetwork/SwitchNetworkView.tsx'
import { UnsupportedChainView } from '../views/UnsupportedChain/UnsupportedChainView.tsx'
import { WhatIsANetworkView } from '../views/WhatIsANetwork/WhatIsANetworkView.tsx'
import { WhatIsAWalletView } from '../views/WhatIsAWallet/WhatIsAWalletView.tsx'

/** The views that are used before an account is connected are in the modal's chunk. */
const firstViews: Partial<Record<View, ComponentType>> = {
  Connect: ConnectView,
  ConnectWallets: ConnectWalletsView,
  ConnectingExternal: ConnectingExternalView,
  GetWallet: GetWalletView,
  Networks: NetworksView,
  SwitchNetwork: SwitchNetworkView,
  UnsupportedChain: UnsupportedChainView,
  WhatIsANetwork: WhatIsANetworkView,
  WhatIsAWallet: WhatIsAWalletView,
}

/** Views of other chunks that can be opened before a wallet is connected. */
export const viewsBeforeConnection: readonly View[] = [
  'AllWallets',
  'ConnectingSiwe',
  'ConnectingWalletConnect',
  'ConnectingWalletConnectBasic',
  'ConnectOnPhone',
]

/** Views of the embedded wallet, for sites that have one. */
export const loginViews: readonly View[] = [
  'ApproveTransaction',
  'ConnectSocials',
  'ConnectingFarcaster',
  'ConnectingSocial',
  'EmailVerifyDevice',
  'EmailVerifyOtp',
  'UpdateEmailPrimaryOtp',
  'UpdateEmailSecondaryOtp',
  'UpdateEmailWallet',
  'UpgradeEmailWallet',
]

/** Views of sites with networks of several namespaces. */
export const namespaceViews: readonly View[] = ['ConnectingMultiChain', 'SwitchActiveChain']

/** Views of names, which the settings of the account lead to. */
export const nameViews: readonly View[] = [
  'Names',
  'NameDetail',
  'NameRecords',
  'NameAddress',
  'NameTransfer',
  'NameRelease',
  'RegisterAccountName',
  'RegisterAccountNameSuccess',
]

/** Views of smart sessions, for sites that have them. */
export const sessionViews: readonly View[] = ['SmartSessionCreated', 'SmartSessionList']

const access = () => import('../features/access.ts')
const account = () => import('../features/account.ts')
const contacts = () => import('../features/contacts.ts')
const buy = () => import('../features/buy.ts')
const login = () => import('../features/login.ts')
const pairing = () => import('../features/pairing.ts')
const names = () => import('../features/names.ts')
const namespaces = () => import('../features/namespaces.ts')
const profile = () => import('../features/profile.ts')
const receive = () => import('../features/receive.ts')
const send = () => import('../features/send.ts')
const sessions = () => import('../features/sessions.ts')
const swap = () => import('../features/swap.ts')

/** The other views are in the chunk of their feature. Views without an entry are not implemented. */
export const lazyViews: Partial<Record<View, () => Promise<ComponentType>>> = {
  Account: lazy(account, 'AccountView'),
  AllWallets: lazy(pairing, 'AllWalletsView'),
  ApproveTransaction: lazy(login, 'ApproveTransactionView'),
  BuyInProgress: lazy(buy, 'BuyInProgressView'),
  ConnectingWalletConnect: lazy(pairing, 'ConnectingWalletConnectView'),
  ConnectingWalletConnectBasic: lazy(pairing, 'ConnectingWalletConnectBasicView'),
  ConnectingSiwe: lazy(pairing, 'ConnectingSiweView'),
  ConnectingMultiChain: lazy(namespaces, 'ConnectingMultiChainView'),
  Contact: lazy(contacts, 'ContactView'),
  Contacts: lazy(contacts, 'ContactsView'),
  ConnectOnPhone: lazy(pairing, 'ConnectOnPhoneView'),
  ConnectSocials: lazy(login, 'ConnectSocialsView'),
  ConnectingFarcaster: lazy(login, 'ConnectingFarcasterView'),
  ConnectingSocial: lazy(login, 'ConnectingSocialView'),
  EmailVerifyDevice: lazy(login, 'EmailVerifyDeviceView'),
  EmailVerifyOtp: lazy(login, 'EmailVerifyOtpView'),
  NameAddress: lazy(names, 'NameAddressView'),
  NameDetail: lazy(names, 'NameDetailView'),
  NameRecords: lazy(names, 'NameRecordsView'),
  NameRelease: lazy(names, 'NameReleaseView'),
  NameTransfer: lazy(names, 'NameTransferView'),
  Names: lazy(names, 'NamesView'),
  NftDetail: lazy(send, 'NftDetailView'),
  OnRampActivity: lazy(buy, 'OnRampActivityView'),
  OnRampFiatSelect: lazy(buy, 'OnRampFiatSelectView'),
  OnRampProviders: lazy(buy, 'OnRampProvidersView'),
  OnRampTokenSelect: lazy(buy, 'OnRampTokenSelectView'),
  Profile: lazy(profile, 'ProfileView'),
  RegisterAccountName: lazy(names, 'RegisterAccountNameView'),
  RegisterAccountNameSuccess: lazy(names, 'RegisterAccountNameSuccessView'),
  RevokeApprovals: lazy(access, 'RevokeApprovalsView'),
  SmartSessionCreated: lazy(sessions, 'SmartSessionCreatedView'),
  SmartSessionList: lazy(sessions, 'SmartSessionListView'),
  Swap: lazy(swap, 'SwapView'),
  SwapPreview: lazy(swap, 'SwapPreviewView'),
  SwapSelectToken: lazy(swap, 'SwapSelectTokenView'),
  SwitchActiveChain: lazy(namespaces, 'SwitchActiveChainView'),
  TransactionStatus: lazy(send, 'TransactionStatusView'),
  WalletCompatibleNetworks: lazy(receive, 'WalletCompatibleNetworksView'),
  WalletReceive: lazy(receive, 'WalletReceiveView'),
  WalletSend: lazy(send, 'WalletSendView'),
  WalletSendNft: lazy(send, 'WalletSendNftView'),
  WalletSendPreview: lazy(send, 'WalletSendPreviewView'),
  WalletSendSelectToken: lazy(send, 'WalletSendSelectTokenView'),
  UpdateEmailPrimaryOtp: lazy(login, 'UpdateEmailPrimaryOtpView'),
  UpdateEmailSecondaryOtp: lazy(login, 'UpdateEmailSecondaryOtpView'),
  UpdateEmailWallet: lazy(login, 'UpdateEmailWalletView'),
  UpgradeEmailWallet: lazy(login, 'UpgradeEmailWalletView'),
  WhatIsABuy: lazy(buy, 'WhatIsABuyView'),
}

/** The views that are loaded. */
export const loadedViews: Partial<Record<View, ComponentType>> = { ...firstViews }

/** Loads a view before it is shown. */
export async function loadView(view: View): Promise<ComponentType | undefined> {
  const Loaded = loadedViews[view] ?? (await lazyViews[view]?.())
  if (Loaded) loadedViews[view] = Loaded
  return Loaded
}

function lazy<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return async () => (await importModule(load, name))[name]
}
