import type { RouterState } from '@hawser/core'
import { textFor } from '@hawser/texts/translated'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { socialNames } from '../locale/socialNames.ts'
import { useGetWalletTexts } from '../locale/useGetWalletTexts.ts'
import { useLoginTitles } from '../locale/useLoginTitles.ts'
import { usePairingTexts } from '../locale/usePairingTexts.ts'
import { useTexts } from '../locale/useTexts.ts'
import { codeName, usePairingConnector } from '../parts/pairing/usePairingConnector.ts'

/** Returns the title of the current view. */
export function useTitle({ view, data }: RouterState): string {
  const texts = useTexts()
  const getWallet = useGetWalletTexts()
  const login = useLoginTitles()
  const pairing = usePairingTexts()
  const connector = usePairingConnector()
  const hasSwapped = useHawserState(
    useHawser().send,
    ({ sent }) => sent?.transaction.metadata.operationType === 'trade',
  )
  switch (view) {
    case 'AllWallets':
      return pairing.all.title
    case 'BuyInProgress':
      return texts.buy.inProgress
    case 'Connect':
    case 'ConnectWallets':
      return texts.connect.title
    case 'ConnectOnPhone':
      return getWallet.onPhone.title
    case 'ConnectingExternal':
      return data?.connector?.name ?? data?.wallet?.name ?? texts.connect.title
    case 'ConnectingMultiChain':
      return texts.selectChain
    case 'ConnectingSiwe':
      return pairing.signIn.title
    case 'ConnectingWalletConnect':
      return data?.wallet?.name ?? codeName(connector, pairing)
    case 'ConnectingWalletConnectBasic':
      return texts.connect.title
    case 'Contact':
      return texts.profile.contact
    case 'Contacts':
      return texts.profile.contacts
    case 'GetWallet':
      return getWallet.title
    case 'NameAddress':
      return texts.names.address
    case 'NameDetail':
      return texts.names.name
    case 'NameRecords':
      return texts.names.records
    case 'NameRelease':
      return texts.names.release
    case 'NameTransfer':
      return texts.names.transfer
    case 'Names':
      return texts.profile.names
    case 'Networks':
      return texts.networks.title
    case 'NftDetail':
      return data?.nft?.collection.name || texts.nfts.title
    case 'OnRampActivity':
      return texts.buy.purchases
    case 'OnRampFiatSelect':
      return texts.buy.selectCurrency
    case 'OnRampProviders':
      return texts.buy.title
    case 'OnRampTokenSelect':
      return texts.selectToken.title
    case 'RegisterAccountName':
    case 'RegisterAccountNameSuccess':
      return texts.profile.chooseName
    case 'RevokeApprovals':
      return texts.access.review
    case 'WalletSendNft':
      return texts.nfts.send
    case 'Swap':
      return texts.swap.title
    case 'SmartSessionCreated':
    case 'SmartSessionList':
      return texts.profile.smartSessions
    case 'SwapPreview':
      return texts.swap.preview
    case 'SwapSelectToken':
      return texts.swap.selectToken
    case 'SwitchActiveChain':
      return texts.switchChain
    case 'SwitchNetwork':
      return data?.network?.name ?? texts.networks.title
    case 'TransactionStatus':
      return hasSwapped ? texts.swap.title : texts.send.title
    case 'UnsupportedChain':
      return texts.unsupportedChain.title
    case 'WalletCompatibleNetworks':
      return texts.receive.compatibleTitle
    case 'WalletReceive':
      return texts.receive.title
    case 'WalletSend':
      return texts.send.title
    case 'WalletSendPreview':
      return texts.preview.title
    case 'WalletSendSelectToken':
      return texts.selectToken.title
    case 'WhatIsABuy':
      return texts.buy.what
    case 'WhatIsANetwork':
      return texts.whatIsANetwork.title
    case 'WhatIsAWallet':
      return texts.whatIsAWallet.title
    case 'ConnectingFarcaster':
      return socialNames.farcaster
    case 'ConnectingSocial':
      return data?.social ? socialNames[data.social] : texts.connect.title
    default:
      return textFor(login, view) ?? texts.account.title
  }
}
