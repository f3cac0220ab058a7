import type { View } from '@hawser/core'
import type { ComponentType } from 'react'
import { ConnectView } from '../views/Connect/ConnectView.tsx'

/** The view every visitor meets first comes with the modal. */
export const firstViews: Partial<Record<View, ComponentType>> = { Connect: ConnectView }

/** What may come next while nobody is connected; the rest is not worth its bytes until somebody is. */
export const viewsBeforeConnection: readonly View[] = [
  'ConnectWallets',
  'ConnectingExternal',
  'Networks',
  'WhatIsAWallet',
]

/** Every other view is a chunk of its own. A view without an entry does not exist yet. */
export const lazyViews: Partial<Record<View, () => Promise<ComponentType>>> = {
  Account: () => import('../views/Account/AccountView.tsx').then((module) => module.AccountView),
  BuyInProgress: () =>
    import('../views/BuyInProgress/BuyInProgressView.tsx').then((module) => module.BuyInProgressView),
  ConnectWallets: () =>
    import('../views/ConnectWallets/ConnectWalletsView.tsx').then((module) => module.ConnectWalletsView),
  ConnectingExternal: () =>
    import('../views/ConnectingExternal/ConnectingExternalView.tsx').then(
      (module) => module.ConnectingExternalView,
    ),
  NameAddress: () =>
    import('../views/NameAddress/NameAddressView.tsx').then((module) => module.NameAddressView),
  NameDetail: () => import('../views/NameDetail/NameDetailView.tsx').then((module) => module.NameDetailView),
  NameRecords: () =>
    import('../views/NameRecords/NameRecordsView.tsx').then((module) => module.NameRecordsView),
  NameRelease: () =>
    import('../views/NameRelease/NameReleaseView.tsx').then((module) => module.NameReleaseView),
  NameTransfer: () =>
    import('../views/NameTransfer/NameTransferView.tsx').then((module) => module.NameTransferView),
  Names: () => import('../views/Names/NamesView.tsx').then((module) => module.NamesView),
  Networks: () => import('../views/Networks/NetworksView.tsx').then((module) => module.NetworksView),
  NftDetail: () => import('../views/NftDetail/NftDetailView.tsx').then((module) => module.NftDetailView),
  OnRampActivity: () =>
    import('../views/OnRampActivity/OnRampActivityView.tsx').then((module) => module.OnRampActivityView),
  OnRampFiatSelect: () =>
    import('../views/OnRampFiatSelect/OnRampFiatSelectView.tsx').then(
      (module) => module.OnRampFiatSelectView,
    ),
  OnRampProviders: () =>
    import('../views/OnRampProviders/OnRampProvidersView.tsx').then((module) => module.OnRampProvidersView),
  OnRampTokenSelect: () =>
    import('../views/OnRampTokenSelect/OnRampTokenSelectView.tsx').then(
      (module) => module.OnRampTokenSelectView,
    ),
  Profile: () => import('../views/Profile/ProfileView.tsx').then((module) => module.ProfileView),
  RegisterAccountName: () =>
    import('../views/RegisterAccountName/RegisterAccountNameView.tsx').then(
      (module) => module.RegisterAccountNameView,
    ),
  RegisterAccountNameSuccess: () =>
    import('../views/RegisterAccountNameSuccess/RegisterAccountNameSuccessView.tsx').then(
      (module) => module.RegisterAccountNameSuccessView,
    ),
  Swap: () => import('../views/Swap/SwapView.tsx').then((module) => module.SwapView),
  SwapPreview: () =>
    import('../views/SwapPreview/SwapPreviewView.tsx').then((module) => module.SwapPreviewView),
  SwapSelectToken: () =>
    import('../views/SwapSelectToken/SwapSelectTokenView.tsx').then((module) => module.SwapSelectTokenView),
  SwitchNetwork: () =>
    import('../views/SwitchNetwork/SwitchNetworkView.tsx').then((module) => module.SwitchNetworkView),
  UnsupportedChain: () =>
    import('../views/UnsupportedChain/UnsupportedChainView.tsx').then(
      (module) => module.UnsupportedChainView,
    ),
  WalletReceive: () =>
    import('../views/WalletReceive/WalletReceiveView.tsx').then((module) => module.WalletReceiveView),
  WalletSend: () => import('../views/WalletSend/WalletSendView.tsx').then((module) => module.WalletSendView),
  WalletSendNft: () =>
    import('../views/WalletSendNft/WalletSendNftView.tsx').then((module) => module.WalletSendNftView),
  WalletSendPreview: () =>
    import('../views/WalletSendPreview/WalletSendPreviewView.tsx').then(
      (module) => module.WalletSendPreviewView,
    ),
  WalletSendSelectToken: () =>
    import('../views/WalletSendSelectToken/WalletSendSelectTokenView.tsx').then(
      (module) => module.WalletSendSelectTokenView,
    ),
  WhatIsABuy: () => import('../views/WhatIsABuy/WhatIsABuyView.tsx').then((module) => module.WhatIsABuyView),
  WhatIsANetwork: () =>
    import('../views/WhatIsANetwork/WhatIsANetworkView.tsx').then((module) => module.WhatIsANetworkView),
  WhatIsAWallet: () =>
    import('../views/WhatIsAWallet/WhatIsAWalletView.tsx').then((module) => module.WhatIsAWalletView),
}
