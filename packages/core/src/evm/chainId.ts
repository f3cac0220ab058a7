import type { CaipNetworkId } from '../types/network.ts'

/** Reads what wallets answer to `eth_chainId`: a hex string by the standard, decimal or a number from some. */
export function caipNetworkIdOf(chainId: unknown): CaipNetworkId {
  const id = Number(chainId)
  if (!Number.isSafeInteger(id) || id <= 0) throw new TypeError('The wallet named no chain id')
  return `eip155:${id}`
}

/** EIP-695 form of a chain id. */
export function hexChainId(id: number | string): `0x${string}` {
  return `0x${Number(id).toString(16)}`
}
