import type { AccountEntry, CaipNetworkId, SolanaProvider } from '@hawser/core'
import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features'
import type { IdentifierString, Wallet, WalletAccount } from '@wallet-standard/base'
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
} from '@wallet-standard/features'
import { orDeclined } from '../pageWallet/orDeclined.ts'
import { ProviderError, providerErrorCode } from '../pageWallet/providerError.ts'

type Features = Partial<
  StandardConnectFeature &
    StandardDisconnectFeature &
    StandardEventsFeature &
    SolanaSignMessageFeature &
    SolanaSignTransactionFeature &
    SolanaSignAndSendTransactionFeature
>

const LOCALNET = 'solana:localnet'

/** Wallets name the clusters; CAIP-2 names them by their genesis hash. */
const clusters: Readonly<Record<string, CaipNetworkId>> = {
  'solana:mainnet': 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'solana:devnet': 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  'solana:testnet': 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
}

/** Reports whether a wallet can be connected and signs Solana transactions. */
export function isSolanaWallet({ chains, features }: Wallet): boolean {
  const hasAccounts = chains.some(isSolanaChain) && 'standard:connect' in features
  return hasAccounts && ('solana:signTransaction' in features || 'solana:signAndSendTransaction' in features)
}

/** Creates the provider of a wallet that registered itself in the page. */
export function createStandardProvider(wallet: Wallet): SolanaProvider {
  const features: Features = wallet.features
  const signTransaction = features['solana:signTransaction']
  const signAndSend = features['solana:signAndSendTransaction']

  let connected: readonly WalletAccount[] = []

  function accountOf(address: string): WalletAccount {
    const account = [...wallet.accounts, ...connected].find((each) => each.address === address)
    if (!account)
      throw new ProviderError(providerErrorCode.unauthorized, 'The wallet shares no such account.')
    return account
  }

  return {
    ...networksOf(wallet, signTransaction !== undefined),

    async connect({ isSilent = false } = {}) {
      const input = isSilent ? { silent: true } : undefined
      const output = await orDeclined(async () => features['standard:connect']?.connect(input))
      connected = output?.accounts ?? []
      return entriesOf(connected)
    },

    async disconnect() {
      await features['standard:disconnect']?.disconnect()
    },

    onAccounts(listener) {
      const stop = features['standard:events']?.on('change', ({ accounts }) => {
        if (accounts) listener(entriesOf(accounts))
      })
      return () => stop?.()
    },

    async signMessage(address, message) {
      const feature = features['solana:signMessage']
      if (!feature)
        throw new ProviderError(providerErrorCode.unsupportedMethod, 'The wallet signs no messages.')
      const account = accountOf(address)
      const [signed] = await orDeclined(() => feature.signMessage({ account, message }))
      if (!signed || !isSame(signed.signedMessage, message)) {
        throw new ProviderError(providerErrorCode.unsupportedMethod, 'The wallet signed another message.')
      }
      return signed.signature
    },

    ...(signTransaction && {
      async signTransaction(address, transaction, caipNetworkId) {
        const account = accountOf(address)
        const chain = chainOf(caipNetworkId)
        const isNamed = account.chains.includes(chain)
        const input = { account, transaction, ...(isNamed && { chain }) }
        const [signed] = await orDeclined(() => signTransaction.signTransaction(input))
        return new Uint8Array(signed?.signedTransaction ?? [])
      },
    }),

    ...(signAndSend && {
      async signAndSendTransaction(address, transaction, caipNetworkId) {
        const input = { account: accountOf(address), transaction, chain: chainOf(caipNetworkId) }
        const [sent] = await orDeclined(() => signAndSend.signAndSendTransaction(input))
        return new Uint8Array(sent?.signature ?? [])
      },
    }),
  }
}

/**
 * Returns the networks of a wallet. A wallet that signs without sending does so for any cluster; one that
 * sends supports only its own.
 */
function networksOf({ chains }: Wallet, signs: boolean): Pick<SolanaProvider, 'networks'> {
  if (signs || chains.includes(LOCALNET)) return {}
  return { networks: chains.flatMap((chain) => clusters[chain] ?? []) }
}

function chainOf(caipNetworkId: CaipNetworkId): IdentifierString {
  const cluster = Object.entries(clusters).find(([, id]) => id === caipNetworkId)
  return (cluster?.[0] ?? LOCALNET) as IdentifierString
}

function entriesOf(accounts: readonly WalletAccount[]): readonly AccountEntry[] {
  return accounts
    .filter(({ chains }) => chains.some(isSolanaChain))
    .map(({ address, label }) => ({ address, type: 'eoa', ...(label && { label }) }))
}

function isSolanaChain(chain: string): boolean {
  return chain.startsWith('solana:')
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
