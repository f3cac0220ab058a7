import type { Connector, ConnectorFactory, Eip1193Provider } from '@hawser/core'

/** A list of connectors as a factory receives it. */
export interface Listing {
  readonly connectors: Connector[]
  stop(): void
}

export function list(factory: ConnectorFactory): Listing {
  const connectors: Connector[] = []
  const stop = factory({
    add: (connector) => void connectors.push(connector),
    remove(id) {
      const at = connectors.findIndex((connector) => connector.id === id)
      if (at >= 0) connectors.splice(at, 1)
    },
  })
  return { connectors, stop }
}

/** The provider of the only wallet a factory lists. */
export async function providerOf(factory: ConnectorFactory): Promise<Eip1193Provider> {
  const [connector] = list(factory).connectors
  if (!connector) throw new Error('no wallet is listed')
  return connector.getProvider()
}
