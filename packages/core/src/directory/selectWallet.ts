import { selectConnector } from '../connection/connect.ts'
import type { RecentWallet } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import { connectorOf } from './offered.ts'

/**
 * Reports that a wallet of the directory, or a recent one, was selected: one that is in this page is connected there,
 * another one is paired.
 *
 * @param platform how a wallet outside this page would be reached.
 */
export function selectWallet(hawser: Hawser, wallet: RecentWallet, platform: 'mobile' | 'qrcode'): void {
  const { activeChain } = hawser.chain.getState()
  const { allConnectors } = hawser.connectors.getState()
  const connector = connectorOf(
    allConnectors.filter(({ chain }) => chain === activeChain),
    wallet,
  )
  if (connector) {
    selectConnector(hawser, connector)
    return
  }
  hawser.events.emit({ event: 'SELECT_WALLET', properties: { name: wallet.name, platform } })
  hawser.report({ kind: 'walletSelected', wallet })
}
