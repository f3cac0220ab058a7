import type { BitcoinProvider } from '@hawser/core'
import { base64, hex } from '@scure/base'
import { accountOf, accountsOn } from '../bitcoin/accounts.ts'
import { ProviderError, providerErrorCode } from '../pageWallet/providerError.ts'
import {
  createNamespaceSession,
  type NamespaceSession,
  type NamespaceSessionDeps,
} from './namespaceSession.ts'

/** Signs all inputs and outputs. */
const SIGHASH_ALL = 1

/** Creates a Bitcoin provider over the newest session. The wallet's addresses are for payments. */
export function createBitcoinSession(deps: NamespaceSessionDeps): BitcoinProvider & NamespaceSession {
  const session = createNamespaceSession(deps, 'bip122', (addresses, network) =>
    accountsOn(
      addresses.map((address) => accountOf(address, 'payment', {})),
      network,
    ),
  )

  return Object.assign(session, {
    async signMessage(address, message) {
      const protocol = isLegacy(address) ? 'ecdsa' : 'bip322'
      const params = { account: address, address, message, protocol }
      const { signature } = await session.request('signMessage', params)
      return textOf(signature)
    },

    async signPsbt(address, psbt, inputs, caipNetworkId) {
      const params = {
        account: address,
        psbt: base64.encode(psbt),
        signInputs: inputs.map((index) => ({ address, index, sighashTypes: [SIGHASH_ALL] })),
        broadcast: false,
      }
      const { psbt: signed } = await session.request('signPsbt', params, caipNetworkId)
      try {
        return base64.decode(String(signed))
      } catch {
        throw new ProviderError(providerErrorCode.internal, 'The wallet answered no transaction.')
      }
    },
  } satisfies Pick<BitcoinProvider, 'signMessage' | 'signPsbt'>)
}

/** Reports whether an address is of a public key's hash (P2PKH), of which BIP-322 keeps the older format. */
function isLegacy(address: string): boolean {
  return /^[1mn]/.test(address)
}

/** Returns a signature as base64; wallets answer it in hex or base64. @throws ProviderError for anything else. */
function textOf(signature: unknown): string {
  const text = String(signature)
  try {
    if (/^(?:[0-9a-f]{2})+$/i.test(text)) return base64.encode(hex.decode(text.toLowerCase()))
    if (base64.decode(text).length > 0) return text
  } catch {
    // Neither.
  }
  throw new ProviderError(providerErrorCode.internal, 'The wallet answered no signature.')
}
