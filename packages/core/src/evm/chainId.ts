import { WalletError } from '../errors/walletFailure.ts'
import type { Eip1193Provider } from '../types/connector.ts'
import type { CaipNetworkId } from '../types/network.ts'

/** Some wallets tell of a change to no chain while they start. */
export function isChainId(chainId: unknown): boolean {
  const id = Number(chainId)
  return Number.isSafeInteger(id) && id > 0
}

/** Reads what wallets answer to `eth_chainId`: a hex string by the standard, decimal or a number from some. */
export function caipNetworkIdOf(chainId: unknown): CaipNetworkId {
  if (!isChainId(chainId)) throw new WalletError('unreadable', 'The wallet named no chain id')
  return `eip155:${Number(chainId)}`
}

/** EIP-695 form of a chain id. */
export function hexChainId(id: number | string): `0x${string}` {
  return `0x${Number(id).toString(16)}`
}

/** The same of a network. */
export function chainIdIn(caipNetworkId: CaipNetworkId): `0x${string}` {
  return hexChainId(caipNetworkId.slice(caipNetworkId.indexOf(':') + 1))
}

/** @throws WalletError when the wallet is on another network than the visitor saw. */
export async function requireNetwork(provider: Eip1193Provider, caipNetworkId: CaipNetworkId): Promise<void> {
  const chainId = await provider.request({ method: 'eth_chainId' })
  if (caipNetworkIdOf(chainId) !== caipNetworkId) {
    throw new WalletError('wrongNetwork', 'The wallet is on another network')
  }
}
