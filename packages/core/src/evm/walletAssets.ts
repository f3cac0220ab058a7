import { plainText } from '@hawser/client'
import { formatUnits, worth } from '../amounts/units.ts'
import type { TokenBalance } from '../types/account.ts'
import type { Network } from '../types/network.ts'
import type { Eip1193Provider } from '../types/providers.ts'
import { hexChainId } from './chainId.ts'

/** One asset of a wallet's list (ERC-7811). */
interface WalletAsset {
  readonly address: string
  /** Base units, in hex. */
  readonly balance: string
  readonly type: 'ERC20' | 'NATIVE'
  readonly metadata: {
    readonly name: string
    readonly symbol: string
    readonly decimals: number
    readonly price: number
    readonly iconUrl: string
  }
}

/**
 * Reads an account's assets from a wallet that discovers them (EIP-5792 `assetDiscovery`).
 *
 * @returns undefined when the wallet does not, or its response is not valid by the standard.
 */
export async function readWalletAssets(
  provider: Eip1193Provider,
  address: string,
  network: Network,
): Promise<readonly TokenBalance[] | undefined> {
  const chainId = hexChainId(network.id)
  const capabilities = await provider.request({ method: 'wallet_getCapabilities', params: [address] })
  if (!discoversAssets(capabilities, chainId)) return undefined
  const answer = await provider.request({
    method: 'wallet_getAssets',
    params: [{ account: address, chainFilter: [chainId] }],
  })
  const assets: unknown = (answer as Record<string, unknown> | null)?.[chainId]
  if (!Array.isArray(assets) || !assets.every(isWalletAsset)) return undefined
  return assets.map((asset) => tokenBalance(asset, network))
}

function discoversAssets(capabilities: unknown, chainId: string): boolean {
  const chains = capabilities as Record<string, { assetDiscovery?: { supported?: unknown } }> | null
  return chains?.[chainId]?.assetDiscovery?.supported === true
}

function isWalletAsset(value: unknown): value is WalletAsset {
  const { address, balance, type, metadata } = (value ?? {}) as Partial<WalletAsset>
  if (typeof address !== 'string' || !/^0x[0-9a-f]+$/i.test(String(balance))) return false
  if ((type !== 'ERC20' && type !== 'NATIVE') || !metadata) return false
  const { name, symbol, decimals, price, iconUrl } = metadata
  const hasTexts = [name, symbol, iconUrl].every((text) => typeof text === 'string')
  return hasTexts && Number.isInteger(decimals) && decimals >= 0 && decimals <= 255 && Number.isFinite(price)
}

/** Maps an asset to a row. Only data: images are used, so that no other host learns what a visitor holds. */
function tokenBalance({ address, balance, type, metadata }: WalletAsset, network: Network): TokenBalance {
  const { decimals, price, iconUrl } = metadata
  const units = BigInt(balance)
  return {
    name: plainText(metadata.name),
    symbol: plainText(metadata.symbol),
    price,
    chainId: network.caipNetworkId,
    value: worth(units, decimals, price) ?? 0,
    quantity: { decimals: String(decimals), numeric: formatUnits(units, decimals) },
    iconUrl: iconUrl.startsWith('data:image/') ? iconUrl : '',
    ...(type === 'ERC20' && { address: `${network.caipNetworkId}:${address}` }),
  }
}
