import { hasHistory, isAccessOffered, isPaying, setAccountTab, watchBalances } from '@hawser/core'
import { Avatar, Tabs } from '@hawser/ui'
import { useEffect } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useNetworkServed } from '../../hooks/useNetworkServed.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { useOtherChains } from '../../modal/otherChainsFeature.ts'
import { AddressCopy } from '../../parts/AddressCopy.tsx'
import { WalletBackup } from '../../parts/WalletBackup.tsx'
import { AccessPanel } from './AccessPanel.tsx'
import { AccountActions } from './AccountActions.tsx'
import { AccountBalance } from './AccountBalance.tsx'
import { ActivityTab } from './activity/ActivityTab.tsx'
import { NetworkNotServed } from './NetworkNotServed.tsx'
import { NftsTab } from './nfts/NftsTab.tsx'
import { TokensTab } from './TokensTab.tsx'

/** By their index in the account state. */
const allTabs = [
  { id: 'tokens', number: 0, panel: () => <TokensTab /> },
  { id: 'nfts', number: 1, panel: () => <NftsTab /> },
  { id: 'activity', number: 2, panel: () => <ActivityTab /> },
  { id: 'access', number: 3, panel: () => <AccessPanel /> },
] as const

/** The connected account: its balance, its actions and its tabs. */
export function AccountView() {
  const texts = useTexts()
  const hawser = useHawser()
  const { address, profileName, profileImage, currentTab } = useAccount()
  const tabs = useTabs()
  const isServed = useNetworkServed()
  useEffect(() => watchBalances(hawser), [hawser])
  if (!address) return null
  return (
    <div className="hw-stack">
      <div className="hw-account-head">
        <Avatar seed={address} src={profileImage} size={64} />
        <div className="hw-account-name">
          <AddressCopy address={address} name={profileName} data-testid="account-settings-address" />
        </div>
        {isServed && <AccountBalance />}
      </div>
      <AccountActions />
      <AddressNote />
      <WalletBackup />
      {isServed ? (
        <Tabs
          label={texts.account.tabs}
          tabs={tabs}
          selected={tabs.find(({ number }) => number === currentTab)?.id ?? 'tokens'}
          onSelect={(id) => setAccountTab(hawser, tabs.find((tab) => tab.id === id)?.number ?? 0)}
        />
      ) : (
        <NetworkNotServed />
      )}
    </div>
  )
}

/** Explains what the address is for, in wallets that keep several apart. */
function AddressNote() {
  const isHeld = !isPaying(useAccount())
  const parts = useOtherChains(isHeld)
  return parts && isHeld ? <parts.OrdinalNote /> : null
}

/** Returns the tabs. The services list NFTs for EVM chains only. */
function useTabs() {
  const { account, nfts, activity, access } = useTexts()
  const hawser = useHawser()
  const namespace = useHawserState(hawser.chain, ({ activeChain }) => activeChain)
  const features = useHawserState(hawser.options, (options) => options.features)
  const served = useHawserState(hawser.served, (state) => state)
  const offered = {
    tokens: true,
    nfts: namespace === 'eip155',
    activity: features.history && hasHistory(namespace),
    access: isAccessOffered(namespace, features, served),
  }
  const labels = { tokens: account.tokens, nfts: nfts.tab, activity: activity.tab, access: access.tab }
  return allTabs.filter(({ id }) => offered[id]).map((tab) => ({ ...tab, label: labels[tab.id] }))
}
