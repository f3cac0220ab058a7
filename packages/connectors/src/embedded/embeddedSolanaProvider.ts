import type { AccountEntry, CaipNetworkId, EmbeddedWallet, SolanaProvider } from '@hawser/core'
import { base58, base64 } from '@scure/base'
import { ProviderError, providerErrorCode } from '../pageWallet/providerError.ts'

/**
 * Creates the Solana provider of an embedded wallet. Each request names its network, because the current
 * network of the frame is that of the user's EVM account.
 */
export function createEmbeddedSolanaProvider(wallet: EmbeddedWallet): SolanaProvider {
  const listeners = new Set<(accounts: readonly AccountEntry[]) => void>()
  let network: CaipNetworkId | undefined

  function left(): void {
    for (const listener of [...listeners]) listener([])
  }
  wallet.on('signedOut', left)
  wallet.on('accountsChanged', (accounts) => {
    if (accounts.length === 0) left()
  })

  async function accounts(caipNetworkId: CaipNetworkId): Promise<readonly AccountEntry[]> {
    if (!(await wallet.isConnected())) return []
    const { address } = await wallet.getUser({ chainId: caipNetworkId })
    return [{ address, type: 'eoa' }]
  }

  async function request(method: string, params: object, chainId = network) {
    return Object(await wallet.request({ method, params, ...(chainId && { chainId }) })) as Record<
      string,
      unknown
    >
  }

  return {
    async connect({ isSilent = false, caipNetworkId } = {}) {
      network = caipNetworkId ?? network
      if (!network) throw new ProviderError(providerErrorCode.invalidParams, 'The network is missing')
      const granted = await accounts(network)
      if (granted.length === 0 && !isSilent)
        throw new ProviderError(providerErrorCode.unauthorized, 'The user is not logged in')
      return granted
    },

    onAccounts(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    async signMessage(address, message) {
      const params = { pubkey: address, message: base58.encode(message) }
      const { signature } = await request('solana_signMessage', params)
      return base58.decode(String(signature))
    },

    async signTransaction(address, transaction, caipNetworkId) {
      const params = { pubkey: address, transaction: base64.encode(transaction) }
      const signed = await request('solana_signTransaction', params, caipNetworkId)
      return base64.decode(String(signed.transaction))
    },
  }
}
