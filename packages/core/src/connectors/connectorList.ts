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
 * Adds a wallet to what was found. Any script of the page or extension can announce itself under any rdns (EIP-6963): the first one keeps its
 * place, and another is listed beside it as a duplicate, under an id of its own that no later visit connects by itself.
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

/** A wallet chooses its name itself: what cannot be seen is left out of it, and one that is empty then is shown by its id. */
function withPlainName(connector: Connector): Connector {
  const name = plainText(connector.name).trim() || connector.id
  return name === connector.name ? connector : { ...connector, name }
}

/** Whether another wallet announced the same rdns, so that either may be an impostor. */
export function isContested(found: readonly Connector[], connector: Connector): boolean {
  return found.some((other) => claimsSame(other, connector) && other.info?.uuid !== connector.info?.uuid)
}

function claimsSame(a: Connector, b: Connector): boolean {
  return a.chain === b.chain && a.info?.rdns !== undefined && a.info.rdns === b.info?.rdns
}

/**
 * What the Connect view lists: wallets found on several namespaces as one entry, in the site's order. A wallet that was
 * used lately is of the group `recent`, whatever its kind; the one used last stands first in it.
 */
export function listConnectors(
  found: readonly Connector[],
  order: readonly ConnectorGroup[],
  recent: readonly RecentWallet[] = [],
): readonly Connector[] {
  const complete = [...new Set([...order, ...defaultFeatures.connectorTypeOrder])]
  function rank(connector: Connector): number {
    const place = recentPlace(recent, connector)
    if (place === -1) return complete.indexOf(groupOf[connector.type])
    return complete.indexOf('recent') + place / (recent.length + 1)
  }
  return mergeByName(found).sort((a, b) => rank(a) - rank(b))
}

/** Lists what was found anew, as after a change of the order, or of what was used lately. */
export function relist({ options, connectors }: Hawser): void {
  const { connectorTypeOrder } = options.getState().features
  connectors.setState(({ allConnectors, recentWallets }) => ({
    connectors: listConnectors(allConnectors, connectorTypeOrder, recentWallets),
  }))
}

/** Whether a wallet was used lately. */
export function isRecent(recent: readonly RecentWallet[], connector: Connector): boolean {
  return recentPlace(recent, connector) !== -1
}

/** How many wallets were used since; -1 for one that was not used lately. */
function recentPlace(recent: readonly RecentWallet[], { id, connectors = [] }: Connector): number {
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
  return [{ ...first, name: walletName(first.name), type: 'MULTI_CHAIN', connectors: sameName }]
}

/** One wallet calls itself differently on different chains. */
function walletName(name: string): string {
  return name === 'Trust Wallet' ? 'Trust' : name
}
