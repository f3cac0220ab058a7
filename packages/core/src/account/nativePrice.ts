import { balancesClient } from '../gateway/clients.ts'
import { nativePlaceholder } from '../network/nativePlaceholder.ts'
import type { TokenBalance } from '../types/account.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'

/**
 * Returns tokens with the price of the native one in US dollars. Tokens of test networks have no price, nor
 * have those of a gateway without a price vendor. Never throws.
 */
export async function withNativePrice(
  hawser: Hawser,
  { caipNetworkId, chainNamespace, testnet }: Network,
  tokens: readonly TokenBalance[],
): Promise<readonly TokenBalance[]> {
  if (testnet) return tokens
  const address = `${caipNetworkId}:${nativePlaceholder(chainNamespace)}`
  try {
    const client = await balancesClient(hawser)
    const { projectId } = hawser.options.getState()
    const { fungibles } = await client.listPrices({ projectId, currency: 'usd', addresses: [address] })
    const { price = 0, priceSource, priceAge } = fungibles[0] ?? {}
    if (price === 0) return tokens
    return tokens.map((token) => {
      if (token.address) return token
      const value = Number(token.quantity.numeric) * price
      return {
        ...token,
        price,
        value,
        ...(priceSource !== undefined && { priceSource }),
        ...(priceAge !== undefined && { priceAge }),
      }
    })
  } catch {
    return tokens
  }
}
