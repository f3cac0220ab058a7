import type { Namespace } from '../types/network.ts'

/** Names of what the product keeps in the browser. */
export const items = {
  activeNamespace: 'active_namespace',
  activeNetworkId: 'active_caip_network_id',
  connectionStatus: 'connection_status',
  connectedNamespaces: 'connected_namespaces',
  recentWallets: 'recent_wallets',
  openOrders: 'open_orders',
  orderTokens: 'order_tokens',
  sentTransactions: 'sent_transactions',
  preferredAccountTypes: 'preferred_account_types',
} as const

export const caches = {
  tokenBalance: 'balance_cache',
  nativeBalance: 'native_balance_cache',
  name: 'name_cache',
  identity: 'identity_cache',
} as const

/** The one of a wallet's accounts that the visitor chose. */
export function chosenAccountItem(namespace: Namespace): string {
  return `${namespace}:chosen_account`
}

export function connectorItem(namespace: Namespace): string {
  return `${namespace}:connected_connector_id`
}
