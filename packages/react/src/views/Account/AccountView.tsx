import { setAccountTab, watchBalances } from '@hawser/core'
import { Avatar, Tabs } from '@hawser/ui'
import { useEffect } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { en } from '../../locale/en.ts'
import { AddressCopy } from '../../parts/AddressCopy.tsx'
import { AccountActions } from './AccountActions.tsx'
import { AccountBalance } from './AccountBalance.tsx'
import { TokensTab } from './TokensTab.tsx'

/** The tabs in the order of the account state's tab number. */
const tabs = [{ id: 'tokens', label: en.account.tokens, panel: () => <TokensTab /> }]

/** Who is connected, what they hold and what they can do with it. */
export function AccountView() {
  const hawser = useHawser()
  const { address, profileName, profileImage, currentTab } = useAccount()
  useEffect(() => watchBalances(hawser), [hawser])
  if (!address) return null
  return (
    <div className="hw-stack">
      <div className="hw-account-head">
        <Avatar seed={address} src={profileImage} size={64} />
        <div className="hw-account-name">
          <AddressCopy address={address} name={profileName} data-testid="account-settings-address" />
        </div>
        <AccountBalance />
      </div>
      <AccountActions />
      <Tabs
        label={en.account.tabs}
        tabs={tabs}
        selected={tabs[currentTab]?.id ?? 'tokens'}
        onSelect={(id) => setAccountTab(hawser, tabNumber(id))}
      />
    </div>
  )
}

function tabNumber(id: string): 0 | 1 | 2 {
  return Math.max(
    0,
    tabs.findIndex((tab) => tab.id === id),
  ) as 0 | 1 | 2
}
