import { WalletError } from '../errors/walletFailure.ts'
import type { CaipNetworkId } from '../types/network.ts'
import type { Eip1193Provider } from '../types/providers.ts'

/**
 * Reads a chain id: a hex string by the standard; some wallets name a decimal text, a number, a CAIP-2 id, or an object
 * with a `chainId`. Undefined for anything else: some wallets report a change to no chain while they start.
 */
export function chainNumber(chainId: unknown): number | undefined {
  const named = typeof chainId === 'object' ? (chainId as { chainId?: unknown } | null)?.chainId : chainId
  const id = Number(typeof named === 'string' ? named.trim().replace(/^eip155:/, '') : (named ?? Number.NaN))
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/**
 * Returns the network that a wallet is on, by `eth_chainId`, or by `net_version` if that names no chain.
 *
 * @throws WalletError when neither names one.
 */
export async function networkOfWallet(provider: Eip1193Provider): Promise<CaipNetworkId> {
  const id =
    chainNumber(await provider.request({ method: 'eth_chainId' })) ??
    chainNumber(await provider.request({ method: 'net_version' }).catch(() => undefined))
  if (!id) throw new WalletError('unreadable', 'The wallet named no chain id')
  return `eip155:${id}`
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
  if ((await networkOfWallet(provider)) !== caipNetworkId) {
    throw new WalletError('wrongNetwork', 'The wallet is on another network')
  }
}
