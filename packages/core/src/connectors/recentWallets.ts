import { MAX_RECENT_WALLETS } from '../constants.ts'
import { items } from '../storage/items.ts'
import type { Connector, RecentWallet } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import { relist } from './connectorList.ts'

/** Returns the wallets with `wallet` first: no duplicate ids, at most two. */
export function withRecentWallet(
  wallets: readonly RecentWallet[],
  wallet: RecentWallet,
): readonly RecentWallet[] {
  return [wallet, ...wallets.filter(({ id }) => id !== wallet.id)].slice(0, MAX_RECENT_WALLETS)
}

/** Moves the wallet of a connector to the front of the recent ones. */
export function rememberWallet(hawser: Hawser, { id, name, imageUrl, info }: Connector): void {
  const wallet = { id, name, ...(imageUrl && { imageUrl }), ...(info?.rdns && { rdns: info.rdns }) }
  hawser.connection.setState({ recentWallet: wallet })
  rememberRecentWallet(hawser, wallet)
}

/** Moves `wallet` to the front of the recent ones, in memory and in storage. */
export function rememberRecentWallet(hawser: Hawser, wallet: RecentWallet): void {
  const recentWallets = withRecentWallet(hawser.connectors.getState().recentWallets, wallet)
  hawser.connectors.setState({ recentWallets })
  relist(hawser)
  hawser.storage.write(items.recentWallets, recentWallets)
}

/** Reads the recent wallets from storage. */
export function readRecentWallets(hawser: Hawser): void {
  const stored = hawser.storage.read<unknown>(items.recentWallets)
  if (!Array.isArray(stored)) return
  hawser.connectors.setState({ recentWallets: stored.filter(isRecentWallet).slice(0, MAX_RECENT_WALLETS) })
  relist(hawser)
}

function isRecentWallet(value: unknown): value is RecentWallet {
  if (typeof value !== 'object' || value === null) return false
  const { id, name } = value as Partial<RecentWallet>
  return typeof id === 'string' && typeof name === 'string'
}
