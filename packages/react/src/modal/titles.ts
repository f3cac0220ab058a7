import type { RouterState } from '@hawser/core'
import { en } from '../locale/en.ts'
import { enGetWallet } from '../locale/enGetWallet.ts'
import { loginTitles, socialNames } from '../locale/enLoginTitles.ts'
import { enPairing } from '../locale/enPairing.ts'

/** Returns the title of the current view. */
export function titleOf({ view, data }: RouterState): string {
  switch (view) {
    case 'AllWallets':
      return enPairing.all.title
    case 'BuyInProgress':
      return en.buy.inProgress
    case 'Connect':
    case 'ConnectWallets':
      return en.connect.title
    case 'ConnectOnPhone':
      return enGetWallet.onPhone.title
    case 'ConnectingExternal':
      return data?.connector?.name ?? data?.wallet?.name ?? en.connect.title
    case 'ConnectingMultiChain':
      return en.selectChain
    case 'ConnectingSiwe':
      return enPairing.signIn.title
    case 'ConnectingWalletConnect':
      return data?.wallet?.name ?? enPairing.walletConnect
    case 'ConnectingWalletConnectBasic':
      return en.connect.title
    case 'GetWallet':
      return enGetWallet.title
    case 'NameAddress':
      return en.names.address
    case 'NameDetail':
      return en.names.name
    case 'NameRecords':
      return en.names.records
    case 'NameRelease':
      return en.names.release
    case 'NameTransfer':
      return en.names.transfer
    case 'Names':
      return en.profile.names
    case 'Networks':
      return en.networks.title
    case 'NftDetail':
      return data?.nft?.collection.name || en.nfts.title
    case 'OnRampActivity':
      return en.activity.tab
    case 'OnRampFiatSelect':
      return en.buy.selectCurrency
    case 'OnRampProviders':
      return en.buy.title
    case 'OnRampTokenSelect':
      return en.selectToken.title
    case 'RegisterAccountName':
    case 'RegisterAccountNameSuccess':
      return en.profile.chooseName
    case 'WalletSendNft':
      return en.nfts.send
    case 'Swap':
      return en.swap.title
    case 'SmartSessionCreated':
    case 'SmartSessionList':
      return en.profile.smartSessions
    case 'SwapPreview':
      return en.swap.preview
    case 'SwapSelectToken':
      return en.swap.selectToken
    case 'SwitchActiveChain':
      return en.switchChain
    case 'SwitchNetwork':
      return data?.network?.name ?? en.networks.title
    case 'TransactionStatus':
      return en.send.title
    case 'UnsupportedChain':
      return en.unsupportedChain.title
    case 'WalletCompatibleNetworks':
      return en.receive.compatibleTitle
    case 'WalletReceive':
      return en.receive.title
    case 'WalletSend':
      return en.send.title
    case 'WalletSendPreview':
      return en.preview.title
    case 'WalletSendSelectToken':
      return en.selectToken.title
    case 'WhatIsABuy':
      return en.buy.what
    case 'WhatIsANetwork':
      return en.whatIsANetwork.title
    case 'WhatIsAWallet':
      return en.whatIsAWallet.title
    case 'ConnectingSocial':
      return data?.social ? socialNames[data.social] : en.connect.title
    default:
      return loginTitles[view] ?? en.account.title
  }
}
