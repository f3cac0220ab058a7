import { chainIdOfCoin, type NameAddress } from '@hawser/core'
import type { Texts } from '@hawser/texts/modal/texts'

/** Returns the label of a coin type: the name of the site's network, or else the chain of the coin type. */
export function networkLabel({ network, coinType }: NameAddress, texts: Texts['ownNames']): string {
  if (network) return network.name
  const chainId = chainIdOfCoin(coinType)
  if (chainId === undefined) return texts.coin(coinType)
  return chainId === 1 ? texts.ethereum : texts.chain(chainId)
}
