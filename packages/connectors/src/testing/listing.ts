import type { Connector, ConnectorContext, ConnectorFactory, Eip1193Provider } from '@hawser/core'
import { createMemoryStorage } from './memoryStorage.ts'

/** A list of connectors as a factory receives it. */
export interface Listing {
  readonly connectors: Connector[]
  stop(): void
}

export function list(factory: ConnectorFactory, environment: Partial<ConnectorContext> = {}): Listing {
  const connectors: Connector[] = []
  const stop = factory({
    add: (connector) => void connectors.push(connector),
    remove(id) {
      const at = connectors.findIndex((connector) => connector.id === id)
      if (at >= 0) connectors.splice(at, 1)
    },
    projectId: '00000000000000000000000000000001',
    gatewayUrl: 'http://gateway.test',
    metadata: { name: 'Test', description: '', url: 'http://site.test', icons: [] },
    storage: createMemoryStorage(),
    log: () => undefined,
    namespaces: () => ['eip155', 'solana'],
    networkId: () => 'eip155:31337',
    node: () => async () => {
      throw new Error('no node')
    },
    relayRefused: () => undefined,
    openWallet: () => undefined,
    ...environment,
  })
  return { connectors, stop }
}

/** Returns the provider of the only wallet that a factory lists, an EVM one. */
export async function providerOf(factory: ConnectorFactory): Promise<Eip1193Provider> {
  const [connector] = list(factory).connectors
  if (!connector) throw new Error('no wallet is listed')
  return (connector as Connector<'eip155'>).getProvider()
}
