import type { PolkadotProvider } from '@hawser/core'
import { ProviderError, providerErrorCode } from '../pageWallet/providerError.ts'
import {
  createNamespaceSession,
  type NamespaceSession,
  type NamespaceSessionDeps,
} from './namespaceSession.ts'

/** Creates a Polkadot provider over the newest session. */
export function createPolkadotSession(deps: NamespaceSessionDeps): PolkadotProvider & NamespaceSession {
  const session = createNamespaceSession(deps, 'polkadot', (addresses) =>
    addresses.map((address) => ({ address, type: 'eoa' })),
  )

  return Object.assign(session, {
    async signMessage(address, message) {
      const params = { address, message: new TextDecoder().decode(message) }
      const { signature } = await session.request('polkadot_signMessage', params)
      return hexOf(signature)
    },

    async signPayload(address, payload, caipNetworkId) {
      const params = { address, transactionPayload: { ...payload, address } }
      const { signature } = await session.request('polkadot_signTransaction', params, caipNetworkId)
      return hexOf(signature)
    },
  } satisfies Pick<PolkadotProvider, 'signMessage' | 'signPayload'>)
}

/** @throws ProviderError for anything but hex; wallets leave out 0x. */
function hexOf(signature: unknown): string {
  const [, digits] = /^(?:0x)?((?:[0-9a-f]{2})+)$/i.exec(String(signature)) ?? []
  if (!digits) throw new ProviderError(providerErrorCode.internal, 'The wallet answered no signature.')
  return `0x${digits}`
}
