import { defaultFeatures } from '../options/features.ts'
import type { Connector } from '../types/connector.ts'
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

/** Adds a wallet to what was found; the same wallet found again replaces the earlier finding. */
export function withConnector(found: readonly Connector[], connector: Connector): readonly Connector[] {
  const same = found.findIndex((other) => isSameWallet(other, connector))
  return same === -1 ? [...found, connector] : found.map((other, at) => (at === same ? connector : other))
}

/** Announced wallets are the same by reverse domain name, whatever their id of this page view. */
function isSameWallet(a: Connector, b: Connector): boolean {
  if (a.chain !== b.chain) return false
  if (a.info?.rdns && a.info.rdns === b.info?.rdns) return true
  return a.id === b.id && a.name === b.name
}

/** What the Connect view lists: wallets found on several namespaces as one entry, in the site's order. */
export function listConnectors(
  found: readonly Connector[],
  order: readonly ConnectorGroup[],
): readonly Connector[] {
  const complete = [...new Set([...order, ...defaultFeatures.connectorTypeOrder])]
  const rank = (connector: Connector) => complete.indexOf(groupOf[connector.type])
  return mergeByName(found).sort((a, b) => rank(a) - rank(b))
}

function mergeByName(found: readonly Connector[]): Connector[] {
  const byName = new Map<string, Connector[]>()
  for (const connector of found) {
    const name = walletName(connector.name)
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
