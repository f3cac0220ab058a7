import { groupOfConnector } from '../connectors/connectorList.ts'
import { defaultFeatures } from '../options/features.ts'
import type { Connector, RecentWallet } from '../types/connector.ts'
import type { DirectoryState, SelectedWallet } from '../types/directory.ts'
import type { ConnectorGroup, OptionsState } from '../types/options.ts'
import type { ConnectorsState } from '../types/state.ts'
import { connectorOf } from './offered.ts'

/** A row of the list of wallets: a connector, or a wallet outside this page. */
export type WalletRow =
  | { readonly group: ConnectorGroup; readonly connector: Connector; readonly wallet?: never }
  | { readonly group: ConnectorGroup; readonly wallet: SelectedWallet; readonly connector?: never }

/** Wallets that are recommended while fewer than this are installed or recent. */
const FEW_WALLETS = 2

/**
 * Lists the wallets of the Connect view in the site's order: the connectors, and, when wallets can be paired, recent,
 * featured, custom and recommended ones that are not in this page. No wallet is listed twice.
 */
export function walletRows(
  { connectors, recentWallets }: Pick<ConnectorsState, 'connectors' | 'recentWallets'>,
  { featured, recommended }: Pick<DirectoryState, 'featured' | 'recommended'>,
  options: OptionsState,
): readonly WalletRow[] {
  // An embedded wallet is offered by its logins.
  const rows: WalletRow[] = connectors
    .filter(({ type }) => type !== 'AUTH')
    .map((connector) => ({ group: groupOfConnector(recentWallets, connector), connector }))
  const listed: SelectedWallet[] = []
  function add(group: ConnectorGroup, wallets: readonly SelectedWallet[], most = wallets.length): void {
    const fresh = wallets.filter(
      (wallet) => !connectorOf(connectors, wallet) && !listed.some((other) => isSame(other, wallet)),
    )
    for (const wallet of fresh.slice(0, most)) {
      rows.push({ group, wallet })
      listed.push(wallet)
    }
  }
  if (connectors.some(({ type }) => type === 'WALLET_CONNECT')) {
    add(
      'recent',
      recentWallets.filter(({ links }) => links),
    )
    add('featured', featured)
    add('custom', options.customWallets)
    add('recommended', recommended, recommendedCount(options, connectors, recentWallets))
  }
  const order = [...new Set([...options.features.connectorTypeOrder, ...defaultFeatures.connectorTypeOrder])]
  return order.flatMap((group) => rows.filter((row) => row.group === group))
}

/** Returns how many wallets to recommend: none where the site features or adds wallets of its own choice. */
export function recommendedCount(
  { featuredWalletIds, customWallets }: OptionsState,
  connectors: readonly Connector[],
  recent: readonly RecentWallet[],
): number {
  if (featuredWalletIds.length > 0 || customWallets.length > 0) return 0
  const installed = connectors.filter(({ type }) => type === 'ANNOUNCED' || type === 'MULTI_CHAIN').length
  return Math.max(0, FEW_WALLETS - installed - recent.length)
}

function isSame(a: SelectedWallet, b: SelectedWallet): boolean {
  return a.id === b.id || (a.rdns !== undefined && a.rdns === b.rdns)
}
