import type { Hawser } from '../types/hawser.ts'
import type { Namespace } from '../types/network.ts'
import { items } from './items.ts'

/** The namespaces that were connected when the page was left, oldest connection first; none after a disconnect. */
export function storedNamespaces({ storage }: Hawser): readonly Namespace[] {
  if (storage.read(items.connectionStatus) !== 'connected') return []
  const stored = storage.read<unknown>(items.connectedNamespaces)
  return Array.isArray(stored) ? stored : []
}

/** Stores which namespaces are connected, and whether any is. */
export function writeConnectedNamespaces({ storage }: Hawser, namespaces: readonly Namespace[]): void {
  storage.write(items.connectedNamespaces, namespaces)
  storage.write(items.connectionStatus, namespaces.length > 0 ? 'connected' : 'disconnected')
}
