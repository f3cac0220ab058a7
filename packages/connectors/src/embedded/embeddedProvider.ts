import type { CaipNetworkId, Eip1193Provider, EmbeddedWallet, SolanaProvider } from '@hawser/core'
import { createEmbeddedWallet, type EmbeddedWalletOptions } from '@hawser/frame'
import { createListeners } from '../listeners.ts'
import { ProviderError, providerErrorCode } from '../pageWallet/providerError.ts'

/** The wallet in its frame, and a provider of each of its namespaces. */
export interface Loaded {
  readonly wallet: EmbeddedWallet
  readonly evm: Eip1193Provider
  /** Loads the code of the Solana provider at first use. */
  readonly solana: () => Promise<SolanaProvider>
}

/** Creates the site's half of the frame and its providers; the frame itself is loaded with the first call. */
export function loadEmbedded(options: EmbeddedWalletOptions): Loaded {
  const wallet: EmbeddedWallet = createEmbeddedWallet(options)
  let solana: Promise<SolanaProvider> | undefined
  return {
    wallet,
    evm: createEmbeddedProvider(wallet),
    solana() {
      solana ??= import('./embeddedSolanaProvider.ts').then(({ createEmbeddedSolanaProvider }) =>
        createEmbeddedSolanaProvider(wallet),
      )
      solana.catch(() => {
        solana = undefined
      })
      return solana
    },
  }
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
