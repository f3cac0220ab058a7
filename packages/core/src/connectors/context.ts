import { raiseAlert } from '../alert/alert.ts'
import { nodeOf } from '../chain/adapters.ts'
import { openLinkedWallet } from '../connection/deepLink.ts'
import type { Connector, ConnectorContext, RelayRefusal, SiteMetadata } from '../types/connector.ts'
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
    node: (caipNetworkId) => nodeOf(hawser, { caipNetworkId }),
    relayRefused: (refusal) => showRefusal(hawser, refusal),
    openWallet: (request) => openLinkedWallet(hawser, request),
  }
}

/** How a site without `metadata` introduces itself: by the title of its page and its origin. */
function pageMetadata(): SiteMetadata {
  const { title = '' } = globalThis.document ?? {}
  const { origin = '', host = '' } = globalThis.location ?? {}
  return { name: title || host, description: '', url: origin, icons: [] }
}

function showRefusal(hawser: Hawser, refusal: RelayRefusal): void {
  if (refusal === 'token') raiseAlert(hawser, 'sessionExpired')
  else if (refusal === 'project') raiseAlert(hawser, 'invalidProjectId')
  else raiseAlert(hawser, 'originNotAllowed', { origin: globalThis.location?.origin ?? '' })
}
