import { chainIdOfCoin, type NameAddress } from '@hawser/core'
import { enOwnNames } from '../../locale/enOwnNames.ts'

/** Returns the label of a coin type: the name of the site's network, or else the chain that it stands for. */
export function networkLabel({ network, coinType }: NameAddress): string {
  if (network) return network.name
  const chainId = chainIdOfCoin(coinType)
  if (chainId === undefined) return enOwnNames.coin(coinType)
  return chainId === 1 ? enOwnNames.ethereum : enOwnNames.chain(chainId)
}
