import { Spinner } from '@hawser/ui'
import { type RefCallback, useCallback, useLayoutEffect, useRef } from 'react'
import { useButtonTexts } from '../locale/buttonTexts.ts'
import { ConnectButtonCustom } from './ConnectButtonCustom.tsx'
import { Themed } from './Themed.tsx'
import { useAccountButton } from './useAccountButton.ts'
import { useConnectButton } from './useConnectButton.ts'

/** Properties of `ConnectButton`. */
export interface ConnectButtonProps {
  label?: string
  loadingLabel?: string
  /** Shown to a connected visitor when the chunk of the account button could not be loaded. */
  accountLabel?: string
  size?: 'medium' | 'small'
  /** Whether the account button shows the native balance. */
  balance?: 'show' | 'hide'
}

/** Renders "Connect wallet", or the account button once connected. */
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
        {/* A translation of the page replaces texts; the element around this one stays React's. */}
        <span>{busy ? loadingLabel : standsIn ? accountLabel : label}</span>
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

ConnectButton.Custom = ConnectButtonCustom
