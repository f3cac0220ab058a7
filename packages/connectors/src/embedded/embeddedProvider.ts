import type { CaipNetworkId, Eip1193Provider, EmbeddedWallet } from '@hawser/core'
import { createEmbeddedWallet, type EmbeddedWalletOptions } from '@hawser/frame'
import { createListeners } from '../listeners.ts'
import { ProviderError, providerErrorCode } from '../pageWallet/providerError.ts'

/** Creates the site's half of the frame and its provider; the frame itself is loaded with the first call. */
export function loadEmbedded(options: EmbeddedWalletOptions): {
  readonly wallet: EmbeddedWallet
  readonly provider: Eip1193Provider
} {
  const wallet: EmbeddedWallet = createEmbeddedWallet(options)
  return { wallet, provider: createEmbeddedProvider(wallet) }
}

/** Creates the EIP-1193 provider of an embedded wallet. */
export function createEmbeddedProvider(wallet: EmbeddedWallet): Eip1193Provider {
  const listeners = createListeners()
  wallet.on('accountsChanged', (accounts) => listeners.emit('accountsChanged', accounts))
  wallet.on('chainChanged', (chainId) => listeners.emit('chainChanged', hexOf(chainId)))
  wallet.on('signedOut', () => listeners.emit('accountsChanged', []))

  async function accounts(): Promise<readonly string[]> {
    if (!(await wallet.isConnected())) return []
    const { address } = await wallet.getUser()
    return [address]
  }

  async function switchTo(params: unknown): Promise<null> {
    const chainId = Array.isArray(params)
      ? (params[0] as { chainId?: unknown } | undefined)?.chainId
      : undefined
    if (typeof chainId !== 'string' || !/^0x[0-9a-f]+$/i.test(chainId))
      throw new ProviderError(providerErrorCode.invalidParams, 'The chain id is missing')
    await wallet.switchNetwork(`eip155:${BigInt(chainId)}`)
    return null
  }

  return {
    async request({ method, params }) {
      switch (method) {
        case 'eth_accounts':
          return accounts()
        case 'eth_requestAccounts': {
          const granted = await accounts()
          if (granted.length === 0)
            throw new ProviderError(providerErrorCode.unauthorized, 'Nobody is logged in')
          return granted
        }
        case 'eth_chainId':
          return hexOf(await wallet.getChainId())
        case 'wallet_switchEthereumChain':
          return switchTo(params)
        default:
          return wallet.request({ method, params })
      }
    },
    on: listeners.add,
    removeListener: listeners.remove,
  }
}

/** Returns the chain id of an EVM network in hex, as EIP-1193 has it. */
function hexOf(chainId: CaipNetworkId): string {
  return `0x${BigInt(chainId.slice('eip155:'.length)).toString(16)}`
}
