import type { SolanaProvider } from '@hawser/core'
import { base58, base64 } from '@scure/base'
import { ProviderError, providerErrorCode } from '../pageWallet/providerError.ts'
import {
  createNamespaceSession,
  type NamespaceSession,
  type NamespaceSessionDeps,
} from './namespaceSession.ts'

/** Size of a signature, and where that of the first signer is in a transaction: after their count. */
const SIGNATURE_SIZE = 64
const SIGNATURE_AT = 1

/** Creates a Solana provider over the newest session. */
export function createSolanaSession(deps: NamespaceSessionDeps): SolanaProvider & NamespaceSession {
  const session = createNamespaceSession(deps, 'solana', (addresses) =>
    addresses.map((address) => ({ address, type: 'eoa' })),
  )

  return Object.assign(session, {
    async signMessage(address, message) {
      const params = { pubkey: address, message: base58.encode(message) }
      const { signature } = await session.request('solana_signMessage', params)
      return signatureOf(signature)
    },

    async signTransaction(address, transaction, caipNetworkId) {
      const params = { pubkey: address, feePayer: address, transaction: base64.encode(transaction) }
      const answer = await session.request('solana_signTransaction', params, caipNetworkId)
      // Wallets that change a transaction, as by a fee, return it whole; others return the signature alone.
      if (typeof answer.transaction === 'string') return base64.decode(answer.transaction)
      const signed = transaction.slice()
      signed.set(signatureOf(answer.signature), SIGNATURE_AT)
      return signed
    },
  } satisfies Pick<SolanaProvider, 'signMessage' | 'signTransaction'>)
}

/** @throws ProviderError for anything but the base58 text of 64 bytes. */
function signatureOf(text: unknown): Uint8Array {
  try {
    const signature = base58.decode(String(text))
    if (signature.length === SIGNATURE_SIZE) return signature
  } catch {
    // Not base58.
  }
  throw new ProviderError(providerErrorCode.internal, 'The wallet answered no signature.')
}
