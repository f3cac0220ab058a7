import type { WalletFeatures } from '@hawser/connectors'
import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
  StandardEventsListeners,
} from '@wallet-standard/features'
import { registerWallet } from '@wallet-standard/wallet'
import { DEV_WALLET_ICON, refuseIf } from '../devWallet.ts'

export interface SolanaWalletOptions {
  /** Base58. */
  readonly address: string
  /** Private and public key, 64 bytes in base58. */
  readonly secretKey: string
  readonly rpcUrl: string
  /** Read at every request. */
  readonly features: WalletFeatures
}

const CHAIN = 'solana:localnet'
const MEMORY_KEY = 'hawser-lab/solana-wallet'
const TRANSACTION_VERSIONS = ['legacy', 0] as const

/**
 * Registers a wallet for the local Solana chain (Wallet Standard) that needs no extension: it signs for real with a
 * well-known key and approves at once.
 */
export async function registerSolanaWallet({
  address,
  secretKey,
  rpcUrl,
  features: faults,
}: SolanaWalletOptions): Promise<void> {
  const { base58, base64 } = await import('@scure/base')
  const key = base58.decode(secretKey)
  const account: WalletAccount = {
    address,
    publicKey: base58.decode(address),
    chains: [CHAIN],
    features: ['solana:signAndSendTransaction', 'solana:signTransaction', 'solana:signMessage'],
    label: 'Test account',
  }
  const listeners = new Set<StandardEventsListeners['change']>()
  let accounts: readonly WalletAccount[] = []

  function setAccounts(granted: readonly WalletAccount[]): void {
    accounts = granted
    for (const listener of listeners) listener({ accounts })
  }

  async function signed(transaction: Uint8Array) {
    refuseIf(faults.sendError)
    const { signTransaction } = await import('./transaction.ts')
    return signTransaction(transaction, key)
  }

  const features: StandardConnectFeature &
    StandardDisconnectFeature &
    StandardEventsFeature &
    SolanaSignAndSendTransactionFeature &
    SolanaSignMessageFeature &
    SolanaSignTransactionFeature = {
    'standard:connect': {
      version: '1.0.0',
      async connect({ silent = false } = {}) {
        if (!silent) {
          refuseIf(faults.connectError)
          localStorage.setItem(MEMORY_KEY, 'connected')
        }
        if (localStorage.getItem(MEMORY_KEY)) setAccounts([account])
        return { accounts }
      },
    },
    'standard:disconnect': {
      version: '1.0.0',
      async disconnect() {
        refuseIf(faults.disconnectError)
        localStorage.removeItem(MEMORY_KEY)
        setAccounts([])
      },
    },
    'standard:events': {
      version: '1.0.0',
      on(_, listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    'solana:signMessage': {
      version: '1.1.0',
      async signMessage(...inputs) {
        refuseIf(faults.signError)
        const { ed25519 } = await import('@noble/curves/ed25519')
        return inputs.map(({ message }) => ({
          signedMessage: message,
          signature: ed25519.sign(message, key.subarray(0, 32)),
        }))
      },
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: TRANSACTION_VERSIONS,
      signTransaction: (...inputs) =>
        Promise.all(
          inputs.map(async ({ transaction }) => ({ signedTransaction: await signed(transaction) })),
        ),
    },
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: TRANSACTION_VERSIONS,
      signAndSendTransaction: (...inputs) =>
        Promise.all(
          inputs.map(async ({ transaction }) => {
            const signedTransaction = await signed(transaction)
            const signature = await send(rpcUrl, base64.encode(signedTransaction))
            return { signature: base58.decode(signature) }
          }),
        ),
    },
  }
  const wallet: Wallet = {
    version: '1.0.0',
    name: 'Dev wallet',
    icon: DEV_WALLET_ICON,
    chains: [CHAIN],
    features,
    get accounts() {
      return accounts
    },
  }
  registerWallet(wallet)
}

/** Sends a transaction in base64 to a node; returns its signature in base58. */
async function send(rpcUrl: string, transaction: string): Promise<string> {
  const params = [transaction, { encoding: 'base64', preflightCommitment: 'confirmed' }]
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params }),
    signal: AbortSignal.timeout(10_000),
  })
  const { result, error } = await response.json()
  if (error) throw new Error(error.message)
  return result
}
