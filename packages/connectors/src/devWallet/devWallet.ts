import type { ConnectorFactory } from '@hawser/core'
import {
  createPageWallet,
  endSession,
  type Signer,
  type WalletFeatures,
  type WalletMemory,
  type WalletState,
} from '../pageWallet/pageWallet.ts'
import type { DevKey } from './keySigner.ts'

/** A flask on a dark square. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#123b52"/><g fill="none" stroke="#8ecfff" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"><path d="M16.5 10h7M18 10v7.2l-6 10.3a2 2 0 0 0 1.8 3h12.4a2 2 0 0 0 1.8-3l-6-10.3V10"/><path fill="#8ecfff" fill-opacity=".35" d="m15.4 22.5h9.2l3 5.2a1.6 1.6 0 0 1-1.4 2.4H13.8a1.6 1.6 0 0 1-1.4-2.4z"/></g></svg>',
)}`

/** Options of `devWallet`. */
export interface DevWalletOptions extends DevKey {
  /** Nodes by EVM chain id; the first one is the chain the wallet starts on. */
  readonly rpcUrls: Readonly<Record<number, string>>
  readonly chainId?: number
  /** The text below its name in the list of wallets; says that it is a test account by default. */
  readonly description?: string
  readonly features?: WalletFeatures
  /**
   * Enables atomic batches (EIP-5792): contracts by chain id that the account delegates to
   * (EIP-7702), with a function `execute((address to, uint256 value, bytes data)[])` that only the account itself may call.
   */
  readonly batchAccounts?: Readonly<Record<number, `0x${string}`>>
}

const ID = 'dev-wallet'
const DESCRIPTION = 'Test account with money on this machine. No extension needed.'
const MEMORY_KEY = '@hawser/v1/dev_wallet'

/**
 * Returns a connector for a wallet on development chains that needs no extension: it signs for real with a
 * well-known key, approves at once, and sends to the given nodes. The key and its libraries are loaded on
 * first use. Never list it on a page that serves a chain where tokens are worth anything.
 */
export function devWallet({
  rpcUrls,
  chainId,
  description = DESCRIPTION,
  features = {},
  batchAccounts,
  ...key
}: DevWalletOptions): ConnectorFactory {
  const firstChainId = chainId ?? Number(Object.keys(rpcUrls)[0])
  let loading: Promise<Signer> | undefined

  function signer(): Promise<Signer> {
    loading ??= import('./keySigner.ts').then(({ createKeySigner }) =>
      createKeySigner({ key, rpcUrls, batchAccounts }),
    )
    return loading
  }

  const provider = createPageWallet({
    signer,
    features,
    chainId: firstChainId,
    memory: browserMemory(rpcUrls),
  })

  return (context) => {
    context.add({
      id: ID,
      name: 'Dev wallet',
      description,
      imageUrl: ICON,
      type: 'EXTERNAL',
      chain: 'eip155',
      getProvider: async () => provider,
      disconnect: () => endSession(provider, features),
    })
    return () => context.remove(ID)
  }
}

/**
 * Returns the memory of the browser. Chains that were added in an earlier visit are not kept, so the wallet
 * does not start on one.
 */
function browserMemory(rpcUrls: Readonly<Record<number, string>>): WalletMemory {
  return {
    read() {
      try {
        const state = JSON.parse(localStorage.getItem(MEMORY_KEY) ?? 'null') as WalletState | null
        return state && rpcUrls[state.chainId] ? state : undefined
      } catch {
        return undefined
      }
    },
    write(state) {
      try {
        localStorage.setItem(MEMORY_KEY, JSON.stringify(state))
      } catch {
        // Storage is blocked: the wallet prompts again on the next visit.
      }
    },
  }
}
