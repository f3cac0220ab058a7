import { openModal, shortenAddress } from '@hawser/core'
import { Amount, Avatar, Skeleton } from '@hawser/ui'
import { useAccount } from '../hooks/useAccount.ts'
import { useHawser } from '../hooks/useHawser.ts'
import { useNetwork } from '../hooks/useNetwork.ts'
import { useNetworkServed } from '../hooks/useNetworkServed.ts'
import { usePreload } from '../hooks/usePreload.ts'
import { NetworkMark } from '../parts/NetworkMark.tsx'
import type { AccountButtonProps } from './accountButtonProps.ts'
import { Themed } from './Themed.tsx'

/** A button with the connected account and its native balance; opens the account. Renders nothing while disconnected. */
export function AccountButton({ size = 'medium', balance = 'show' }: AccountButtonProps) {
  const hawser = useHawser()
  const account = useAccount()
  const { network, isSupported } = useNetwork()
  const isServed = useNetworkServed()
  const preload = usePreload()
  if (!account.address) return null

  // The visitor's own address: a button has room for this much.
  const name = account.profileName ?? shortenAddress(account.address, { start: 6, end: 4 })
  const open = () => openModal(hawser, isSupported ? undefined : { view: 'UnsupportedChain' })
  return (
    <Themed>
      <button
        type="button"
        className="hw-account-button"
        data-testid="account-button"
        data-size={size}
        onClick={open}
        {...preload}
      >
        {balance === 'show' && isSupported && (
          <span className="hw-account-button-balance">
            {network && <NetworkMark network={network} size={20} />}
            {account.balance !== undefined ? (
              <Amount value={account.balance} symbol={account.balanceSymbol} />
            ) : (
              isServed && <Skeleton width={56} height={14} />
            )}
          </span>
        )}
        <span className="hw-account-button-name">
          <Avatar seed={account.address} src={account.profileImage} size={24} />
          <span title={account.profileName ?? account.address} dir="auto">
            {name}
          </span>
        </span>
      </button>
    </Themed>
  )
}
