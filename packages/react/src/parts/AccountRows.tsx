import { chooseAccount, labelAccounts, shortenAddress } from '@hawser/core'
import { Avatar, CheckIcon, List, ListItem } from '@hawser/ui'
import { useEffect } from 'react'
import { useAccount } from '../hooks/useAccount.ts'
import { useHawser } from '../hooks/useHawser.ts'
import { useTexts } from '../locale/useTexts.ts'

/** The accounts that the wallet grants, to choose the active one; renders nothing for a single account. */
export function AccountRows() {
  const texts = useTexts()
  const hawser = useHawser()
  const { address, allAccounts, addressLabels, profileImage } = useAccount()
  useEffect(() => {
    if (allAccounts.length > 1) void labelAccounts(hawser)
  }, [hawser, allAccounts])

  if (allAccounts.length < 2) return null
  return (
    <section className="hw-swap-tokens">
      <h3 className="hw-heading">{texts.profile.accounts}</h3>
      <List label={texts.profile.accounts}>
        {allAccounts.map((account) => {
          const isUsed = account.address === address
          const short = shortenAddress(account.address)
          const name = addressLabels.get(account.address) ?? account.label
          return (
            <ListItem
              key={account.address}
              title={name ?? short}
              subtitle={name && short}
              icon={<Avatar seed={account.address} src={isUsed ? profileImage : undefined} />}
              current={isUsed}
              end={
                isUsed && (
                  <span className="hw-current">
                    <CheckIcon size={20} />
                  </span>
                )
              }
              data-testid={`account-choice-${account.address}`}
              onSelect={() => chooseAccount(hawser, account.address)}
            />
          )
        })}
      </List>
    </section>
  )
}
