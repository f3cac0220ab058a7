import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'

/** Names of the stored values. */
export const items = {
  activeNamespace: 'active_namespace',
  activeNetworkId: 'active_caip_network_id',
  connectionStatus: 'connection_status',
  connectedNamespaces: 'connected_namespaces',
  recentWallets: 'recent_wallets',
  openOrders: 'open_orders',
  orderTokens: 'order_tokens',
  sentTransactions: 'sent_transactions',
  extrinsicLifetimes: 'extrinsic_lifetimes',
  deepLink: 'deep_link',
  handoffLink: 'handoff_link',
  contacts: 'contacts',
  preferredAccountTypes: 'preferred_account_types',
  /** Unix milliseconds. */
  lastEmailLogin: 'last_email_login_time',
  connectedSocial: 'connected_social',
  socialUserName: 'social_username',
} as const

export const caches = {
  tokenBalance: 'balance_cache',
  nativeBalance: 'native_balance_cache',
  name: 'name_cache',
  identity: 'identity_cache',
} as const

/** Returns the item of the account that the visitor chose on a namespace. */
export function chosenAccountItem(namespace: Namespace): string {
  return `${namespace}:chosen_account`
}

/** Returns the item of the network that a namespace was last on. */
export function networkItem(namespace: Namespace): string {
  return `${namespace}:caip_network_id`
}

export function connectorItem(namespace: Namespace): string {
  return `${namespace}:connected_connector_id`
}

/**
 * Returns the namespaces that were connected when the page was last closed, oldest connection first; none after a
 * disconnect.
 */
export function storedNamespaces({ storage }: Pick<Hawser, 'storage'>): readonly Namespace[] {
  if (storage.read(items.connectionStatus) !== 'connected') return []
  const stored = storage.read<unknown>(items.connectedNamespaces)
  return Array.isArray(stored) ? stored : []
}

/** Stores which namespaces are connected, and whether any is. */
export function writeConnectedNamespaces({ storage }: Hawser, namespaces: readonly Namespace[]): void {
  storage.write(items.connectedNamespaces, namespaces)
  storage.write(items.connectionStatus, namespaces.length > 0 ? 'connected' : 'disconnected')
}
