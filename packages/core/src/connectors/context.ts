import { selectNetwork } from '../chain/selectors.ts'
import { withConnected } from '../importConnected.ts'
import type { Connector, ConnectorContext, SiteMetadata } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import { relist, withConnector } from './connectorList.ts'

/** Creates what a connector factory receives; `onFound` is called for each wallet that is found. */
export function connectorContext(hawser: Hawser, onFound: (connector: Connector) => void): ConnectorContext {
  const { projectId, baseUrl, metadata } = hawser.options.getState()
  const item = (key: string) => `connector/${key}`

  function setFound(change: (found: readonly Connector[]) => readonly Connector[]): void {
    hawser.connectors.setState(({ allConnectors }) => ({ allConnectors: change(allConnectors) }))
    relist(hawser)
  }

  return {
    add(connector) {
      setFound((found) => withConnector(found, connector))
      onFound(connector)
    },
    remove: (connectorId) => setFound((found) => found.filter(({ id }) => id !== connectorId)),
    projectId,
    gatewayUrl: baseUrl.replace(/\/+$/, ''),
    metadata: { ...pageMetadata(), ...metadata },
    storage: {
      getItem: (key) => hawser.storage.read<string>(item(key)) ?? null,
      setItem: (key, value) => hawser.storage.write(item(key), value),
      removeItem: (key) => hawser.storage.remove(item(key)),
    },
    log: hawser.log.write,
    namespaces: () => [...hawser.chain.getState().chains.keys()],
    networkId: (namespace) => {
      const chain = hawser.chain.getState()
      return selectNetwork(chain, namespace ?? chain.activeChain)?.caipNetworkId ?? 'eip155:1'
    },
    // Not by `nodeOf`: its module imports the adapters, which are not part of the page's first load.
    node: (id) => (method, params, signal) => hawser.client.rpc(id, method, params, signal),
    relayRefused: (refusal) => withConnected(hawser, ({ showRefusal }) => showRefusal(hawser, refusal)),
    openWallet: (request) =>
      withConnected(hawser, ({ openLinkedWallet }) => openLinkedWallet(hawser, request)),
  }
}

/** Returns the metadata of a site that sets none: the title of its page and its origin. */
function pageMetadata(): SiteMetadata {
  const { title = '' } = globalThis.document ?? {}
  const { origin = '', host = '' } = globalThis.location ?? {}
  return { name: title || host, description: '', url: origin, icons: [] }
}
