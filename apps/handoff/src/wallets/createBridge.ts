import type { Connector } from '@hawser/core'
import type { Bridge } from './bridge.ts'
import { createEvmBridge } from './evm.ts'

/** Creates the bridge to the provider of a wallet. That of a namespace other than EVM is loaded. */
export async function createBridge(connector: Connector): Promise<Bridge> {
  switch (connector.chain) {
    case 'eip155':
      return createEvmBridge(await (connector as Connector<'eip155'>).getProvider())
    case 'solana': {
      const [provider, { createSolanaBridge }] = await Promise.all([
        (connector as Connector<'solana'>).getProvider(),
        import('./solana.ts'),
      ])
      return createSolanaBridge(provider)
    }
    case 'bip122': {
      const [provider, { createBitcoinBridge }] = await Promise.all([
        (connector as Connector<'bip122'>).getProvider(),
        import('./bitcoin.ts'),
      ])
      return createBitcoinBridge(provider)
    }
    case 'polkadot': {
      const [provider, { createPolkadotBridge }] = await Promise.all([
        (connector as Connector<'polkadot'>).getProvider(),
        import('./polkadot.ts'),
      ])
      return createPolkadotBridge(provider)
    }
  }
}
