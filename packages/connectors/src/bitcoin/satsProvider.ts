import type { AccountEntry, BitcoinProvider, CaipNetworkId } from '@hawser/core'
import { base64Of, bytesOf } from '../pageWallet/encoding.ts'
import { orDeclined } from '../pageWallet/orDeclined.ts'
import { ProviderError, providerErrorCode, userRejected } from '../pageWallet/providerError.ts'
import { accountOf, accountsOn } from './accounts.ts'

/** A wallet that is listed in `window.btc_providers`. */
export interface InjectedWallet {
  /** Path of its object from `window`, such as `XverseProviders.BitcoinProvider`. */
  readonly id: string
  readonly name: string
  readonly icon?: string
}

/** The object of such a wallet: JSON-RPC 2.0, of which some wallets return only the result. */
interface SatsObject {
  request(method: string, params?: unknown): Promise<unknown>
  addListener?(event: string, listener: () => void): (() => void) | undefined
}

interface SatsAddress {
  readonly address: string
  readonly publicKey?: string
  readonly purpose?: string
}

/** The code of sats-connect for a request that the visitor declined. */
const DECLINED = -32000

/** Returns the wallets that are listed in the page. */
export function injectedWallets(): readonly InjectedWallet[] {
  const { btc_providers: listed } = globalThis as { btc_providers?: unknown }
  if (!Array.isArray(listed)) return []
  return listed.filter(isUsable)
}

/** Reports whether an entry names a wallet of the page; one that throws does not. */
function isUsable(wallet: Partial<InjectedWallet> | null): wallet is InjectedWallet {
  try {
    const { id, name } = wallet ?? {}
    return typeof id === 'string' && typeof name === 'string' && objectOf(id) !== undefined
  } catch {
    return false
  }
}

function objectOf(id: string): SatsObject | undefined {
  const found = id.split('.').reduce<unknown>((value, name) => Object(value)[name], globalThis)
  return typeof (found as Partial<SatsObject> | undefined)?.request === 'function'
    ? (found as SatsObject)
    : undefined
}

/** Creates the provider of a wallet with the methods of sats-connect. */
export function createSatsProvider({ id }: InjectedWallet): BitcoinProvider {
  let network: CaipNetworkId | undefined

  async function request(method: string, params?: unknown): Promise<unknown> {
    const wallet = objectOf(id)
    if (!wallet) throw new ProviderError(providerErrorCode.disconnected, 'The wallet is gone.')
    const response = await orDeclined(() => wallet.request(method, params))
    const { error, result } = Object(response) as {
      error?: { code?: number; message?: string }
      result?: unknown
    }
    if (error?.code === DECLINED) throw userRejected()
    if (error) throw Object.assign(new Error(error.message ?? ''), { code: error.code })
    return result ?? response
  }

  async function readAccounts(method: string): Promise<readonly AccountEntry[]> {
    const params = { purposes: ['payment', 'ordinals'], message: 'Connect to this site' }
    const result = await request(method, params)
    const { addresses = result } = Object(result) as { addresses?: unknown }
    return Array.isArray(addresses) ? accountsOn(entriesOf(addresses as readonly SatsAddress[]), network) : []
  }

  return {
    async connect({ isSilent = false, caipNetworkId } = {}) {
      network = caipNetworkId
      if (!isSilent) return readAccounts('getAccounts')
      // It fails without a permission, and shows no prompt.
      return readAccounts('wallet_getAccount').catch(() => [])
    },

    async disconnect() {
      await request('wallet_disconnect').catch(() => undefined)
    },

    onAccounts(listener) {
      const wallet = objectOf(id)
      const changed = () => void readAccounts('wallet_getAccount').then(listener, () => undefined)
      const stops = [
        wallet?.addListener?.('accountChange', changed),
        wallet?.addListener?.('networkChange', changed),
        wallet?.addListener?.('disconnect', () => listener([])),
      ]
      return () => {
        for (const stop of stops) stop?.()
      }
    },

    async signMessage(address, message) {
      const { signature } = Object(await request('signMessage', { address, message })) as {
        signature?: string
      }
      return signature ?? ''
    },

    async signPsbt(address, psbt, inputs) {
      const params = { psbt: base64Of(psbt), signInputs: { [address]: [...inputs] }, broadcast: false }
      const { psbt: signed } = Object(await request('signPsbt', params)) as { psbt?: string }
      return bytesOf(signed ?? '')
    },
  }
}

/** Returns the accounts with those for payments first. Other purposes, such as those of other chains, are left out. */
function entriesOf(addresses: readonly SatsAddress[]): readonly AccountEntry[] {
  const of = (purpose: string, type: 'payment' | 'ordinal') =>
    addresses
      .filter((each) => each.purpose === purpose)
      .map(({ address, publicKey }) => accountOf(address, type, { publicKey }))
  return [...of('payment', 'payment'), ...of('ordinals', 'ordinal')]
}
