import { openModal } from '@hawser/core'
import { Spinner } from '@hawser/ui'
import type { ReactNode } from 'react'
import { type Account, useAccount } from '../hooks/useAccount.ts'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { usePreload } from '../hooks/usePreload.ts'
import { AccountButton } from './AccountButton.tsx'
import { Themed } from './Themed.tsx'

export interface ConnectButtonProps {
  label?: string
  loadingLabel?: string
  size?: 'medium' | 'small'
  /** Whether the account button that takes its place shows the native balance. */
  balance?: 'show' | 'hide'
}

/** "Connect Wallet"; once connected, the account button. */
export function ConnectButton(props: ConnectButtonProps) {
  const {
    label = 'Connect Wallet',
    loadingLabel = 'Connecting...',
    size = 'medium',
    balance = 'show',
  } = props
  return (
    <ConnectButtonCustom>
      {({ account, connecting, open, preload }) =>
        account.isConnected ? (
          <AccountButton balance={balance} size={size} />
        ) : (
          <Themed>
            <button
              type="button"
              className="hw-connect-button"
              data-testid="connect-button"
              data-size={size}
              aria-busy={connecting || undefined}
              onClick={open}
              {...preload}
            >
              {connecting && <Spinner size={18} />}
              {connecting ? loadingLabel : label}
            </button>
          </Themed>
        )
      }
    </ConnectButtonCustom>
  )
}

export interface ConnectButtonState {
  account: Account
  /** A wallet is being asked, or a session is being restored. */
  connecting: boolean
  /** Opens the modal. */
  open: () => void
  /** Spread on the control that opens the modal, to fetch its code early. */
  preload: ReturnType<typeof usePreload>
}

/** The connect button's state without its looks. */
function ConnectButtonCustom({ children }: { children: (state: ConnectButtonState) => ReactNode }) {
  const hawser = useHawser()
  const account = useAccount()
  const loading = useHawserState(hawser.modal, (state) => state.loading)
  const preload = usePreload()
  const connecting = loading || account.status === 'connecting' || account.status === 'reconnecting'
  return children({ account, connecting, open: () => openModal(hawser), preload })
}

ConnectButton.Custom = ConnectButtonCustom
