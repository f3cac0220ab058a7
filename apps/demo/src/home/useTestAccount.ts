import { connect, openModal } from '@hawser/core'
import { useAccount, useHawser, useHawserState, useToast } from '@hawser/react'

export interface TestAccount {
  isConnected: boolean
  isConnecting: boolean
  /** Connects the account if need be, and opens the modal on it. */
  open: () => Promise<void>
}

/** The account of the Dev wallet; undefined where no local chains run. */
export function useTestAccount(): TestAccount | undefined {
  const hawser = useHawser()
  const { isConnected, status, connectedWalletInfo } = useAccount()
  const toast = useToast()
  const connector = useHawserState(hawser.connectors, ({ connectors }) =>
    connectors.find(({ id }) => id === 'dev-wallet'),
  )
  if (!connector) return undefined

  const isTestAccount = isConnected && connectedWalletInfo?.name === connector.name
  async function open() {
    if (!connector) return
    try {
      if (!isTestAccount) await connect(hawser, { connector })
      openModal(hawser)
    } catch (error) {
      console.error('The test account could not be connected', error)
      toast.show({ message: 'The test account did not connect. Try again.', variant: 'error' })
    }
  }
  return { isConnected: isTestAccount, isConnecting: status === 'connecting', open }
}
