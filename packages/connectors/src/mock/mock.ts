import type { ConnectorFactory } from '@hawser/core'
import { createPageWallet, endSession, type Signer, type WalletFeatures } from '../pageWallet/pageWallet.ts'
import { ProviderError, providerErrorCode } from '../pageWallet/providerError.ts'

/** Options of `mock`. */
export interface MockOptions {
  /** The first one is active. */
  readonly accounts: readonly [string, ...string[]]
  readonly chainId: number
  /** Chains that the wallet supports in addition to `chainId`. */
  readonly chainIds?: readonly number[]
  readonly name?: string
  readonly features?: WalletFeatures
}

/** Returns a connector for a wallet without keys, for tests: its signatures and hashes are counters. */
export function mock({
  accounts,
  chainId,
  chainIds = [],
  name = 'Mock Wallet',
  features = {},
}: MockOptions): ConnectorFactory {
  const signer = counterSigner(accounts, [chainId, ...chainIds])
  const provider = createPageWallet({ chainId, features, signer: async () => signer })

  return (context) => {
    context.add({
      id: 'mock',
      name,
      type: 'EXTERNAL',
      chain: 'eip155',
      getProvider: async () => provider,
      disconnect: () => endSession(provider, features),
    })
    return () => context.remove('mock')
  }
}

function counterSigner(accounts: readonly string[], chainIds: readonly number[]): Signer {
  const known = new Set(chainIds)
  let count = 0

  async function next(bytes: number): Promise<string> {
    count += 1
    return `0x${count.toString(16).padStart(bytes * 2, '0')}`
  }

  return {
    accounts: async () => accounts,
    signMessage: () => next(65),
    signTypedData: () => next(65),
    send: () => next(32),
    read: async (_, method) => {
      throw new ProviderError(providerErrorCode.unsupportedMethod, `${method} is not supported.`)
    },
    addChain: (chainId) => void known.add(chainId),
    knows: (chainId) => known.has(chainId),
  }
}
