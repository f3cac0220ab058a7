import type { PolkadotProvider } from '@hawser/core'
import { createAccountBridge, textOf } from './accounts.ts'
import type { Bridge } from './bridge.ts'

/** Creates the bridge to a Polkadot extension: the methods of WalletConnect's `polkadot` namespace. */
export function createPolkadotBridge(provider: PolkadotProvider): Bridge {
  return createAccountBridge(provider, {
    handlers: {
      async polkadot_signMessage(params) {
        const message = new TextEncoder().encode(textOf(params, 'message'))
        return { signature: await provider.signMessage(textOf(params, 'address'), message) }
      },
      async polkadot_signTransaction(params, { caipNetworkId }) {
        const payload = Object(params.transactionPayload) as Readonly<Record<string, unknown>>
        return { signature: await provider.signPayload(textOf(params, 'address'), payload, caipNetworkId) }
      },
    },
  })
}
