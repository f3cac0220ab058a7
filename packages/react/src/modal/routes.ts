import { importModule, type View } from '@hawser/core'
import type { ComponentType } from 'react'
import { ConnectView } from '../views/Connect/ConnectView.tsx'

/** The view every visitor meets first comes with the modal. */
export const firstViews: Partial<Record<View, ComponentType>> = { Connect: ConnectView }

/** What may come next while nobody is connected; the rest is not worth its bytes until somebody is. */
export const viewsBeforeConnection: readonly View[] = [
  'ConnectOnPhone',
  'ConnectWallets',
  'ConnectingExternal',
  'GetWallet',
  'Networks',
  'WhatIsAWallet',
]

/** Every other view is a chunk of its own. A view without an entry does not exist yet. */
export const lazyViews: Partial<Record<View, () => Promise<ComponentType>>> = {
  Account: lazy(() => import('../views/Account/AccountView.tsx'), 'AccountView'),
  BuyInProgress: lazy(() => import('../views/BuyInProgress/BuyInProgressView.tsx'), 'BuyInProgressView'),
  ConnectOnPhone: lazy(() => import('../views/ConnectOnPhone/ConnectOnPhoneView.tsx'), 'ConnectOnPhoneView'),
  ConnectWallets: lazy(() => import('../views/ConnectWallets/ConnectWalletsView.tsx'), 'ConnectWalletsView'),
  ConnectingExternal: lazy(
    () => import('../views/ConnectingExternal/ConnectingExternalView.tsx'),
    'ConnectingExternalView',
  ),
  GetWallet: lazy(() => import('../views/GetWallet/GetWalletView.tsx'), 'GetWalletView'),
  NameAddress: lazy(() => import('../views/NameAddress/NameAddressView.tsx'), 'NameAddressView'),
  NameDetail: lazy(() => import('../views/NameDetail/NameDetailView.tsx'), 'NameDetailView'),
  NameRecords: lazy(() => import('../views/NameRecords/NameRecordsView.tsx'), 'NameRecordsView'),
  NameRelease: lazy(() => import('../views/NameRelease/NameReleaseView.tsx'), 'NameReleaseView'),
  NameTransfer: lazy(() => import('../views/NameTransfer/NameTransferView.tsx'), 'NameTransferView'),
  Names: lazy(() => import('../views/Names/NamesView.tsx'), 'NamesView'),
  Networks: lazy(() => import('../views/Networks/NetworksView.tsx'), 'NetworksView'),
  NftDetail: lazy(() => import('../views/NftDetail/NftDetailView.tsx'), 'NftDetailView'),
  OnRampActivity: lazy(() => import('../views/OnRampActivity/OnRampActivityView.tsx'), 'OnRampActivityView'),
  OnRampFiatSelect: lazy(
    () => import('../views/OnRampFiatSelect/OnRampFiatSelectView.tsx'),
    'OnRampFiatSelectView',
  ),
  OnRampProviders: lazy(
    () => import('../views/OnRampProviders/OnRampProvidersView.tsx'),
    'OnRampProvidersView',
  ),
  OnRampTokenSelect: lazy(
    () => import('../views/OnRampTokenSelect/OnRampTokenSelectView.tsx'),
    'OnRampTokenSelectView',
  ),
  Profile: lazy(() => import('../views/Profile/ProfileView.tsx'), 'ProfileView'),
  RegisterAccountName: lazy(
    () => import('../views/RegisterAccountName/RegisterAccountNameView.tsx'),
    'RegisterAccountNameView',
  ),
  RegisterAccountNameSuccess: lazy(
    () => import('../views/RegisterAccountNameSuccess/RegisterAccountNameSuccessView.tsx'),
    'RegisterAccountNameSuccessView',
  ),
  Swap: lazy(() => import('../views/Swap/SwapView.tsx'), 'SwapView'),
  SwapPreview: lazy(() => import('../views/SwapPreview/SwapPreviewView.tsx'), 'SwapPreviewView'),
  SwapSelectToken: lazy(
    () => import('../views/SwapSelectToken/SwapSelectTokenView.tsx'),
    'SwapSelectTokenView',
  ),
  SwitchNetwork: lazy(() => import('../views/SwitchNetwork/SwitchNetworkView.tsx'), 'SwitchNetworkView'),
  TransactionStatus: lazy(
    () => import('../views/TransactionStatus/TransactionStatusView.tsx'),
    'TransactionStatusView',
  ),
  UnsupportedChain: lazy(
    () => import('../views/UnsupportedChain/UnsupportedChainView.tsx'),
    'UnsupportedChainView',
  ),
  WalletReceive: lazy(() => import('../views/WalletReceive/WalletReceiveView.tsx'), 'WalletReceiveView'),
  WalletSend: lazy(() => import('../views/WalletSend/WalletSendView.tsx'), 'WalletSendView'),
  WalletSendNft: lazy(() => import('../views/WalletSendNft/WalletSendNftView.tsx'), 'WalletSendNftView'),
  WalletSendPreview: lazy(
    () => import('../views/WalletSendPreview/WalletSendPreviewView.tsx'),
    'WalletSendPreviewView',
  ),
  WalletSendSelectToken: lazy(
    () => import('../views/WalletSendSelectToken/WalletSendSelectTokenView.tsx'),
    'WalletSendSelectTokenView',
  ),
  WhatIsABuy: lazy(() => import('../views/WhatIsABuy/WhatIsABuyView.tsx'), 'WhatIsABuyView'),
  WhatIsANetwork: lazy(() => import('../views/WhatIsANetwork/WhatIsANetworkView.tsx'), 'WhatIsANetworkView'),
  WhatIsAWallet: lazy(() => import('../views/WhatIsAWallet/WhatIsAWalletView.tsx'), 'WhatIsAWalletView'),
}

function lazy<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return async () => (await importModule(load, name))[name]
}
