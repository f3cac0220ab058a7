import type { Connector, ConnectorFactory } from '@hawser/core'
import { createInjectedProvider, type InjectedExtension } from './injectedProvider.ts'

/** Names of extensions that are injected under another one. */
const names: Readonly<Record<string, string>> = {
  'polkadot-js': 'Polkadot.js',
  'subwallet-js': 'SubWallet',
  talisman: 'Talisman',
  enkrypt: 'Enkrypt',
  polkagate: 'PolkaGate',
  'fearless-wallet': 'Fearless Wallet',
}

/**
 * Lists the Polkadot extensions of the page, which are in `window.injectedWeb3` by name: those that are there now, and those that
 * are injected until the page has loaded.
 */
export function polkadotWallets(): ConnectorFactory {
  return (context) => {
    const ids = new Map<string, string>()
    const list = () => {
      const { injectedWeb3 = {} } = globalThis as { injectedWeb3?: Readonly<Record<string, unknown>> }
      for (const [name, extension] of Object.entries(injectedWeb3)) {
        if (ids.has(name) || !isExtension(extension)) continue
        const connector = connectorOf(name, extension, context.metadata.name)
        ids.set(name, connector.id)
        context.add(connector)
      }
    }
    list()
    globalThis.addEventListener?.('load', list)
    return () => {
      globalThis.removeEventListener?.('load', list)
      for (const id of ids.values()) context.remove(id)
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
    name: names[name] ?? name,
    type: 'ANNOUNCED',
    chain: 'polkadot',
    getProvider: async () => provider,
  }
}
