import { embeddedConnector } from '@hawser/core'
import { useAccount } from '../../hooks/useAccount.ts'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'

/** Returns the address of the embedded wallet's own page; undefined for other wallets. */
export function useWalletSettings(): string | undefined {
  const hawser = useHawser()
  const { connectedWalletInfo } = useAccount()
  const accountUrl = useHawserState(
    hawser.connectors,
    ({ allConnectors }) => embeddedConnector(allConnectors)?.logins?.accountUrl,
  )
  return connectedWalletInfo?.type === 'AUTH' ? accountUrl : undefined
}
