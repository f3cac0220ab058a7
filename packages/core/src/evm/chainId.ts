import { WalletError } from '../errors/walletFailure.ts'
import type { CaipNetworkId } from '../types/network.ts'
import type { Eip1193Provider } from '../types/providers.ts'

/** Reports whether a value is a chain id; some wallets report a change to none while they start. */
export function isChainId(chainId: unknown): boolean {
  const id = Number(chainId)
  return Number.isSafeInteger(id) && id > 0
}

/**
 * Parses the result of `eth_chainId`: a hex string by the standard; some wallets return decimal text or a number.
 */
export function caipNetworkIdOf(chainId: unknown): CaipNetworkId {
  if (!isChainId(chainId)) throw new WalletError('unreadable', 'The wallet named no chain id')
  return `eip155:${Number(chainId)}`
}

/** Formats a chain id as EIP-695 hex. */
export function hexChainId(id: number | string): `0x${string}` {
  return `0x${Number(id).toString(16)}`
}

/** Formats the chain id of a network as EIP-695 hex. */
export function chainIdIn(caipNetworkId: CaipNetworkId): `0x${string}` {
  return hexChainId(caipNetworkId.slice(caipNetworkId.indexOf(':') + 1))
}

/**
 * Verifies that the wallet is on the network that the visitor saw.
 *
 * @throws WalletError when it is on another one.
 */
export async function requireNetwork(provider: Eip1193Provider, caipNetworkId: CaipNetworkId): Promise<void> {
  const chainId = await provider.request({ method: 'eth_chainId' })
  if (caipNetworkIdOf(chainId) !== caipNetworkId) {
    throw new WalletError('wrongNetwork', 'The wallet is on another network')
  }
}
