import type { AccountEntry, BitcoinProvider, CaipNetworkId } from '@hawser/core'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import type { StandardDisconnectFeature, StandardEventsFeature } from '@wallet-standard/features'
import { base64Of, hexOf } from '../pageWallet/encoding.ts'
import { orDeclined } from '../pageWallet/orDeclined.ts'
import { ProviderError, providerErrorCode } from '../pageWallet/providerError.ts'
import { accountOf, accountsOn } from './accounts.ts'

/** What a site uses addresses of a wallet for. */
type Purpose = 'payment' | 'ordinals'

/** The features of Bitcoin wallets that register themselves; the standard has no package of types for them. */
interface BitcoinFeatures {
  readonly 'bitcoin:connect'?: {
    connect(input: {
      readonly purposes: readonly Purpose[]
    }): Promise<{ readonly accounts: readonly BitcoinAccount[] }>
  }
  readonly 'bitcoin:signMessage'?: {
    signMessage(
      ...inputs: readonly { readonly account: WalletAccount; readonly message: Uint8Array }[]
    ): Promise<readonly { readonly signature: Uint8Array }[]>
  }
  readonly 'bitcoin:signTransaction'?: {
    signTransaction(
      ...inputs: readonly {
        readonly psbt: Uint8Array
        readonly inputsToSign: readonly {
          readonly account: WalletAccount
          readonly signingIndexes: readonly number[]
        }[]
        readonly chain?: string
      }[]
    ): Promise<readonly { readonly signedPsbt: Uint8Array }[]>
  }
}

interface BitcoinAccount extends WalletAccount {
  readonly purpose?: Purpose
}

type Features = BitcoinFeatures & Partial<StandardDisconnectFeature & StandardEventsFeature>

/** Wallets name the networks; CAIP-2 names them by their genesis hash. */
const networks: Readonly<Record<CaipNetworkId, string>> = {
  'bip122:000000000019d6689c085ae165831e93': 'bitcoin:mainnet',
  'bip122:000000000933ea01ad0ee984209779ba': 'bitcoin:testnet',
  'bip122:0f9188f13cb7b2c71f2a335e3a4fc328': 'bitcoin:regtest',
}

/** Reports whether a wallet can be connected and signs Bitcoin transactions. */
export function isBitcoinWallet({ features }: Wallet): boolean {
  return 'bitcoin:connect' in features && 'bitcoin:signTransaction' in features
}

/** Creates the provider of a wallet that registered itself in the page. */
export function createStandardProvider(wallet: Wallet): BitcoinProvider {
  const features: Features = wallet.features
  let connected: readonly BitcoinAccount[] = []
  let network: CaipNetworkId | undefined

  function accountOf(address: string): BitcoinAccount {
    const account = [...wallet.accounts, ...connected].find((each) => each.address === address)
    if (!account)
      throw new ProviderError(providerErrorCode.unauthorized, 'The wallet shares no such account.')
    return account
  }

  return {
    networks: wallet.chains.flatMap((chain) =>
      (Object.keys(networks) as CaipNetworkId[]).filter((id) => networks[id] === chain),
    ),

    async connect({ isSilent = false, caipNetworkId } = {}) {
      network = caipNetworkId
      // The feature has no silent form: a wallet that the site may use already has its accounts here.
      if (isSilent) return entriesOf(accountsOn(wallet.accounts, network))
      const purposes = ['payment', 'ordinals'] as const
      const output = await orDeclined(async () => features['bitcoin:connect']?.connect({ purposes }))
      connected = output?.accounts ?? []
      return entriesOf(accountsOn(connected, network))
    },

    async disconnect() {
      await features['standard:disconnect']?.disconnect()
    },

    onAccounts(listener) {
      const stop = features['standard:events']?.on('change', ({ accounts }) => {
        if (accounts) listener(entriesOf(accountsOn(accounts, network)))
      })
      return () => stop?.()
    },

    async signMessage(address, message) {
      const feature = features['bitcoin:signMessage']
      if (!feature)
        throw new ProviderError(providerErrorCode.unsupportedMethod, 'The wallet signs no messages.')
      const input = { account: accountOf(address), message: new TextEncoder().encode(message) }
      const [signed] = await orDeclined(() => feature.signMessage(input))
      return base64Of(signed?.signature ?? new Uint8Array())
    },

    async signPsbt(address, psbt, inputs, caipNetworkId) {
      const feature = features['bitcoin:signTransaction']
      if (!feature) throw new ProviderError(providerErrorCode.unsupportedMethod, 'The wallet signs nothing.')
      const chain = networks[caipNetworkId]
      const inputsToSign = [{ account: accountOf(address), signingIndexes: inputs }]
      const [signed] = await orDeclined(() =>
        feature.signTransaction({ psbt, inputsToSign, ...(chain && { chain }) }),
      )
      return new Uint8Array(signed?.signedPsbt ?? [])
    },
  }
}

/** Returns the accounts with those for payments first. */
function entriesOf(shared: readonly BitcoinAccount[]): readonly AccountEntry[] {
  const accounts = shared.filter(({ chains }) => chains.some((chain) => chain.startsWith('bitcoin:')))
  const entries = accounts.map((account) => {
    const { address, label } = account
    const type = isOrdinal(account, accounts) ? 'ordinal' : 'payment'
    return accountOf(address, type, { label, publicKey: hexOf(new Uint8Array(account.publicKey)) })
  })
  return [
    ...entries.filter(({ type }) => type === 'payment'),
    ...entries.filter(({ type }) => type === 'ordinal'),
  ]
}

/** Wallets that do not name purposes keep ordinals at their address of Taproot, if they have another one for payments. */
function isOrdinal({ purpose, address }: BitcoinAccount, accounts: readonly BitcoinAccount[]): boolean {
  if (purpose) return purpose === 'ordinals'
  return isTaproot(address) && accounts.some((other) => !isTaproot(other.address))
}

function isTaproot(address: string): boolean {
  return /^(?:bc|tb|bcrt)1p/i.test(address)
}
