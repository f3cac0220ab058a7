import { openModal } from '@hawser/core'
import { Spinner } from '@hawser/ui'
import { type ReactNode, type RefCallback, useCallback, useLayoutEffect, useRef } from 'react'
import { type Account, useAccount } from '../hooks/useAccount.ts'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { usePreload } from '../hooks/usePreload.ts'
import { useButtonTexts } from '../locale/buttonTexts.ts'
import { Themed } from './Themed.tsx'
import { useAccountButton } from './useAccountButton.ts'

export interface ConnectButtonProps {
  label?: string
  loadingLabel?: string
  /** Shown to a connected visitor when the chunk of the account button could not be loaded. */
  accountLabel?: string
  size?: 'medium' | 'small'
  /** Whether the account button shows the native balance. */
  balance?: 'show' | 'hide'
}

/** "Connect wallet"; the account button once connected. */
export function ConnectButton(props: ConnectButtonProps) {
  const texts = useButtonTexts()
  const {
    label = texts.connect,
    loadingLabel = texts.connecting,
    accountLabel = texts.account,
    size = 'medium',
    balance = 'show',
  } = props
  const { account, connecting, open, preload } = useConnectButton()
  const { AccountButton, isMissing, retry } = useAccountButton(account.isConnected || connecting)
  const isReplaced = account.isConnected && AccountButton !== undefined
  const ref = useFocusOfReplaced(isReplaced)
  if (account.isConnected && AccountButton) {
    return (
      <Themed>
        <AccountButton balance={balance} size={size} />
      </Themed>
    )
  }

  const standsIn = account.isConnected && isMissing
  const busy = connecting || (account.isConnected && !isMissing)
  function onClick() {
    if (standsIn) retry()
    open()
  }
  return (
    <Themed>
      <button
        type="button"
        className="hw-connect-button"
        data-testid="connect-button"
        data-size={size}
        aria-busy={busy || undefined}
        ref={ref}
        onClick={onClick}
        {...preload}
      >
        {busy && <Spinner size={18} />}
        {busy ? loadingLabel : standsIn ? accountLabel : label}
      </button>
    </Themed>
  )
}

/** Moves the focus from the connect button to the button that replaces it; returns the ref of the connect button. */
function useFocusOfReplaced(isReplaced: boolean): RefCallback<HTMLButtonElement> {
  const button = useRef<HTMLButtonElement>(null)
  const place = useRef<Element>(null)
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    if (isReplaced && hadFocus.current) place.current?.querySelector('button')?.focus({ preventScroll: true })
  }, [isReplaced])
  // React clears a ref while the element is still in the page.
  return useCallback((element) => {
    if (element) place.current = element.parentElement
    else hadFocus.current = document.activeElement === button.current
    button.current = element
  }, [])
}

export interface ConnectButtonState {
  account: Account
  /** A connection is pending, or a session is being restored. */
  connecting: boolean
  /** Opens the modal. */
  open: () => void
  /** Spread on the control that opens the modal, to preload its code. */
  preload: ReturnType<typeof usePreload>
}

function useConnectButton(): ConnectButtonState {
  const hawser = useHawser()
  const account = useAccount()
  const loading = useHawserState(hawser.modal, (state) => state.loading)
  const preload = usePreload()
  const connecting = loading || account.status === 'connecting' || account.status === 'reconnecting'
  return { account, connecting, open: () => openModal(hawser), preload }
}

/** The state of the connect button, for a custom button. */
function ConnectButtonCustom({ children }: { children: (state: ConnectButtonState) => ReactNode }) {
  return children(useConnectButton())
}

ConnectButton.Custom = ConnectButtonCustom
