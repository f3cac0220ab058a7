import type { Connector, ConnectorContext, ConnectorFactory } from '../types/connector.ts'
import type { Hawser } from '../types/hawser.ts'
import { relist, withConnector } from './connectorList.ts'

/** Starts every connector factory; `onFound` hears of each wallet as it turns up. */
export function discoverConnectors(
  hawser: Hawser,
  factories: readonly ConnectorFactory[],
  onFound: (connector: Connector) => void,
): () => void {
  const context: ConnectorContext = {
    add(connector) {
      setFound(hawser, (found) => withConnector(found, connector))
      onFound(connector)
    },
    remove(connectorId) {
      setFound(hawser, (found) => found.filter(({ id }) => id !== connectorId))
    },
  }
  const stops = factories.map((start) => start(context))
  return () => {
    for (const stop of stops) stop()
  }
}

function setFound(hawser: Hawser, change: (found: readonly Connector[]) => readonly Connector[]): void {
  hawser.connectors.setState(({ allConnectors }) => ({ allConnectors: change(allConnectors) }))
  relist(hawser)
}
