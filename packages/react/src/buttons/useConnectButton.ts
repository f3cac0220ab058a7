import { openModal } from '@hawser/core'
import { type Account, useAccount } from '../hooks/useAccount.ts'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { usePreload } from '../hooks/usePreload.ts'

/** What a connect button shows and does. */
export interface ConnectControls {
  account: Account
  /** A connection is pending, or a session is being restored. */
  connecting: boolean
  /** Opens the modal: on the account when connected, on the wallets otherwise. */
  open: () => void
  /** Spread on the control that opens the modal, to preload its code. */
  preload: ReturnType<typeof usePreload>
}

/** Returns the state and the actions of a connect button. */
export function useConnectButton(): ConnectControls {
  const hawser = useHawser()
  const account = useAccount()
  const loading = useHawserState(hawser.modal, (state) => state.loading)
  const preload = usePreload()
  const connecting = loading || account.status === 'connecting' || account.status === 'reconnecting'
  return { account, connecting, open: () => openModal(hawser), preload }
}
