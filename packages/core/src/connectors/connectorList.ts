import { plainText } from '@hawser/client'
import { defaultFeatures } from '../options/features.ts'
import type { Connector, RecentWallet } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import type { ConnectorGroup } from '../types/options.ts'
import type { ConnectorsState } from '../types/state.ts'

export const initialConnectors: ConnectorsState = {
  allConnectors: [],
  connectors: [],
  activeConnectorIds: {},
  recentWallets: [],
}

const groupOf: Record<Connector['type'], ConnectorGroup> = {
  WALLET_CONNECT: 'walletConnect',
  ANNOUNCED: 'injected',
  INJECTED: 'injected',
  MULTI_CHAIN: 'injected',
  EXTERNAL: 'external',
  AUTH: 'external',
}

/**
 * Adds a discovered wallet. Any script can announce any rdns (EIP-6963): the first wallet keeps its id, and another
 * one is listed beside it as a duplicate with its own id, which is never reconnected automatically.
 */
export function withConnector(found: readonly Connector[], announced: Connector): readonly Connector[] {
  const connector = withPlainName(announced)
  const { rdns, uuid } = connector.info ?? {}
  if (!rdns) {
    const same = found.findIndex(
      ({ chain, id, name }) => chain === connector.chain && id === connector.id && name === connector.name,
    )
    return same === -1 ? [...found, connector] : found.map((other, at) => (at === same ? connector : other))
  }
  const claims = found.filter((other) => claimsSame(other, connector))
  if (claims.some(({ info }) => info?.uuid === uuid)) return found
  const isDuplicate = claims.length > 0
  return [...found, isDuplicate ? { ...connector, id: `${connector.id}#${uuid}`, isDuplicate } : connector]
}

/**
 * Removes invisible characters from a wallet's name, which it chooses itself; an empty name is replaced by the id.
 */
function withPlainName(connector: Connector): Connector {
  const name = plainText(connector.name).trim() || connector.id
  return name === connector.name ? connector : { ...connector, name }
}

/** Reports whether two wallets announced the same rdns, or the same name without one: either may be an impostor. */
export function isContested(found: readonly Connector[], connector: Connector): boolean {
  return found.some((other) => other.id !== connector.id && claimsSame(other, connector))
}

function claimsSame(a: Connector, b: Connector): boolean {
  const [rdns, other] = [a.info?.rdns, b.info?.rdns]
  const isSame = rdns ? rdns === other : !other && a.name === b.name && a.type === b.type
  return isSame && a.chain === b.chain
}

/**
 * Lists the wallets for the Connect view: one entry for a wallet of several namespaces, in the site's order. Recently
 * used wallets are in the group `recent`, the last used one first.
 */
export function listConnectors(
  found: readonly Connector[],
  order: readonly ConnectorGroup[],
  recent: readonly RecentWallet[] = [],
): readonly Connector[] {
  const complete = [...new Set([...order, ...defaultFeatures.connectorTypeOrder])]
  function rank(connector: Connector): number {
    const place = recentIndex(recent, connector)
    if (place === -1) return complete.indexOf(groupOf[connector.type])
    return complete.indexOf('recent') + place / (recent.length + 1)
  }
  return mergeByName(found).sort((a, b) => rank(a) - rank(b))
}

/** Updates the list after a change of the order or of the recent wallets. */
export function relist({ options, connectors }: Hawser): void {
  const { connectorTypeOrder } = options.getState().features
  connectors.setState(({ allConnectors, recentWallets }) => ({
    connectors: listConnectors(allConnectors, connectorTypeOrder, recentWallets),
  }))
}

/** Reports whether a wallet was used recently. */
export function isRecent(recent: readonly RecentWallet[], connector: Connector): boolean {
  return recentIndex(recent, connector) !== -1
}

/** Returns the group of a connector in the site's order. */
export function groupOfConnector(recent: readonly RecentWallet[], connector: Connector): ConnectorGroup {
  return isRecent(recent, connector) ? 'recent' : groupOf[connector.type]
}

/** Returns the position among the recent wallets; -1 for others. */
function recentIndex(recent: readonly RecentWallet[], { id, connectors = [] }: Connector): number {
  const ids = [id, ...connectors.map((connector) => connector.id)]
  return recent.findIndex((wallet) => ids.includes(wallet.id))
}

function mergeByName(found: readonly Connector[]): Connector[] {
  const byName = new Map<string, Connector[]>()
  for (const connector of found) {
    const name = connector.isDuplicate ? connector.id : walletName(connector.name)
    byName.set(name, [...(byName.get(name) ?? []), connector])
  }
  return [...byName.values()].flatMap(mergeNamespaces)
}

function mergeNamespaces(sameName: Connector[]): Connector[] {
  const [first] = sameName
  const namespaces = new Set(sameName.map(({ chain }) => chain))
  if (!first || first.type === 'AUTH' || namespaces.size === 1) return sameName
  if (first.type === 'WALLET_CONNECT') return [first]
  return [{ ...first, name: walletName(first.name), type: 'MULTI_CHAIN', connectors: sameName }]
}

/** Maps the names that one wallet has on different chains to one name. */
function walletName(name: string): string {
  return name === 'Trust Wallet' ? 'Trust' : name
}
