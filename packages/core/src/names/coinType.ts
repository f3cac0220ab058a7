import { thrown } from '../errors/thrown.ts'

const ETHEREUM_CHAIN_ID = 1
export const ETHEREUM_COIN_TYPE = 60

/**
 * The coin type of an EVM chain (ENSIP-11).
 *
 * @throws RangeError "Invalid chainId" for ids that have none.
 */
export function coinTypeOf(chainId: number): number {
  if (!Number.isInteger(chainId) || chainId <= 0 || chainId >= 2 ** 31) {
    throw new RangeError(thrown.invalidChainId)
  }
  return chainId === ETHEREUM_CHAIN_ID ? ETHEREUM_COIN_TYPE : (0x80000000 | chainId) >>> 0
}
