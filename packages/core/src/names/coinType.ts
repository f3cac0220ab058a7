import { thrown } from '../errors/thrown.ts'
import type { NameAddress, NameRecord } from '../types/names.ts'
import type { Network } from '../types/network.ts'

const ETHEREUM_CHAIN_ID = 1
const ETHEREUM_COIN_TYPE = 60
const SOLANA_COIN_TYPE = 501

/**
 * Returns the coin type of an EVM chain (ENSIP-11).
 *
 * @throws RangeError "Invalid chainId" for ids that have none.
 */
export function coinTypeOf(chainId: number): number {
  if (!Number.isInteger(chainId) || chainId <= 0 || chainId >= 2 ** 31) {
    throw new RangeError(thrown.invalidChainId)
  }
  return chainId === ETHEREUM_CHAIN_ID ? ETHEREUM_COIN_TYPE : (0x80000000 | chainId) >>> 0
}

/**
 * Returns the coin types that a name is resolved by on a network. On EVM networks that is their own
 * (ENSIP-11), then that of Ethereum, whose address is used on every EVM network without one of its own. On
 * Solana it is that of ENSIP-9.
 */
export function coinTypesOn({ chainNamespace, id }: Network): readonly number[] {
  if (chainNamespace === 'solana') return [SOLANA_COIN_TYPE]
  return [...new Set([coinTypeOf(Number(id)), ETHEREUM_COIN_TYPE])]
}

/**
 * Lists the addresses of a name: for Ethereum first, then for the site's networks, then for the name's other
 * coin types.
 */
export function nameAddresses({ addresses }: NameRecord, networks: readonly Network[]): NameAddress[] {
  const byCoinType = new Map(networks.map((network) => [coinTypeOf(Number(network.id)), network]))
  const coinTypes = new Set([...byCoinType.keys(), ...Object.keys(addresses).map(Number)])
  const isFirst = (coinType: number) => Number(coinType === ETHEREUM_COIN_TYPE)
  return [...coinTypes]
    .sort((a, b) => isFirst(b) - isFirst(a))
    .map((coinType) => ({
      coinType,
      network: byCoinType.get(coinType),
      address: addresses[coinType]?.address,
    }))
}

/** Returns the chain id of an EVM coin type (ENSIP-11); undefined for others. */
export function chainIdOfCoin(coinType: number): number | undefined {
  if (coinType === ETHEREUM_COIN_TYPE) return 1
  return coinType > 0x80000000 ? coinType - 0x80000000 : undefined
}
