import type { BitcoinProvider } from '@hawser/core'
import { base64 } from '@scure/base'
import { type AccountCall, createAccountBridge, type Params, textOf } from './accounts.ts'
import type { Bridge } from './bridge.ts'

/** Creates the bridge to a Bitcoin wallet: the methods of WalletConnect's `bip122` namespace that wallets of a page have. */
export function createBitcoinBridge(provider: BitcoinProvider): Bridge {
  function signerOf(params: Params, { address, addresses }: AccountCall): string {
    const named = params.address ?? params.account
    return addresses.find((each) => each === named) ?? address
  }

  return createAccountBridge(provider, {
    isByNetwork: true,
    handlers: {
      getAccountAddresses: async (_, { addresses }) =>
        addresses.map((address) => ({ address, intention: 'payment' })),
      async signMessage(params, call) {
        const address = signerOf(params, call)
        return { address, signature: await provider.signMessage(address, textOf(params, 'message')) }
      },
      async signPsbt(params, call) {
        const address = signerOf(params, call)
        const psbt = base64.decode(textOf(params, 'psbt'))
        const inputs = (Array.isArray(params.signInputs) ? params.signInputs : []) as readonly {
          index: number
        }[]
        const indexes = inputs.map(({ index }) => index)
        return { psbt: base64.encode(await provider.signPsbt(address, psbt, indexes, call.caipNetworkId)) }
      },
    },
  })
}
