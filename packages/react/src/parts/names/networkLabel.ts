import { chainIdOfCoin, type NameAddress } from '@hawser/core'
import { enOwnNames } from '../../locale/enOwnNames.ts'

/** What a coin type is called: by the site's network, or by what it stands for. */
export function networkLabel({ network, coinType }: NameAddress): string {
  if (network) return network.name
  const chainId = chainIdOfCoin(coinType)
  if (chainId === undefined) return enOwnNames.coin(coinType)
  return chainId === 1 ? enOwnNames.ethereum : enOwnNames.chain(chainId)
}
