import type { Connector, ConnectorFactory } from '@hawser/core'
import { createInjectedProvider, type InjectedExtension } from './injectedProvider.ts'

/** Lists the Polkadot extensions of the page, which are in `window.injectedWeb3` by name. */
export function polkadotWallets(): ConnectorFactory {
  return (context) => {
    const { injectedWeb3 = {} } = globalThis as { injectedWeb3?: Readonly<Record<string, unknown>> }
    const ids: string[] = []
    for (const [name, extension] of Object.entries(injectedWeb3)) {
      if (!isExtension(extension)) continue
      const connector = connectorOf(name, extension, context.metadata.name)
      ids.push(connector.id)
      context.add(connector)
    }
    return () => {
      for (const id of ids) context.remove(id)
    }
  }
}

function isExtension(value: unknown): value is InjectedExtension {
  return typeof (value as Partial<InjectedExtension> | undefined)?.enable === 'function'
}

function connectorOf(name: string, extension: InjectedExtension, site: string): Connector<'polkadot'> {
  const provider = createInjectedProvider(extension, site)
  return {
    id: `polkadot:${name}`,
    name,
    type: 'ANNOUNCED',
    chain: 'polkadot',
    getProvider: async () => provider,
  }
}
